// What the page knows, for the type check alone. The namespace Table is made from the table's own schema.

declare namespace Page {
  /** A message of the table: the view, and what stands beside it. */
  interface Shown {
    table: Table.View;
    hardware: { simulated: boolean; checking?: boolean; buttons?: Button[]; [more: string]: any };
    service: Service;
  }

  interface Button {
    number: number;
    name: string;
    spare: boolean;
    fault: string | null;
  }

  interface Service {
    boot: string;
    release: string;
    storage: string;
    damage: string | null;
    lost: { how: string; file: string; rescued: string | null } | null;
    pairing: boolean;
    wifi: boolean;
    place: string;
    home: { connected: boolean; since: number } | null;
    hall: HallPlace | null;
    now: number;
  }

  /** The table's place in a hall. */
  interface HallPlace {
    table: number;
    title: string;
    connected: boolean;
    unsent: number;
    behind: boolean;
    foreign: boolean;
    taken_out: boolean;
    round: number;
    seats: string[];
    edition: string | null;
    scoring: string | null;
    done: boolean;
    ends: number | null;
    left: number;
  }

  /** The evening as the hall tells it, and to whom. */
  interface HallSeen {
    role: "watcher" | "player" | "helper" | "organiser";
    person: number | null;
    lost: boolean;
    evening: Hall.EveningShown;
  }

  interface DeskProps {
    seen: HallSeen;
    desk: Hall.DeskShown;
    act: (command: object, version?: number | null) => Promise<boolean>;
    setProblem: (problem: Table.Problem | null) => void;
  }

  /** A paired device, as its referee sees it. */
  interface Device {
    number: number;
    name: string;
    address: string;
    since: string;
    seen: string;
    own?: boolean;
    referee?: boolean;
    seat?: number | null;
  }

  interface Hearing {
    muted: boolean;
    off: string[];
    voice: boolean;
    buzz: boolean;
  }

  /** A command that the table has doubts about, and on which the referee may insist. */
  interface Refused {
    kind: Table.Command["kind"];
    fields: object;
    answer: Table.Problem;
    onDone: () => void;
  }

  interface State {
    shown: Shown | null;
    link: "connecting" | "live" | "stale";
    role: string;
    seat: number | null;
    newcomer: Device | null;
    notice: Table.Problem | null;
    pending: number;
    refused: Refused | null;
    dialog: { name: string; [about: string]: any } | null;
    language: string | null;
    seen: number | string | null;
    hearing: Hearing;
    quiet: boolean;
    exact: number | null;
    awake: "lock" | "video" | null;
    check?: Check;
  }

  /** What a component is given: the table, with a match, a round or a race where it is drawn only then. */
  type AtTable<With = {}> = { table: Table.View & With; [more: string]: any };
  type InMatch = { match: Table.MatchShown };
  type InRound = InMatch & { round: Table.RoundInPlay };
  type InRace = { race: Table.RaceShown };

  /** A button of the check, with when the page heard of its last press and how long ago that was. */
  type CheckedButton = Hardware.ButtonStatus & { seen: number; ago: number | null };
  type Check = Omit<Hardware.Check, "buttons"> & { buttons: CheckedButton[] };

  /** Which past matches are chosen, and where one is on the page of past matches. */
  interface MatchFilter {
    players: string[];
    group: boolean;
    edition: string | null;
    scoring: string | null;
    from: number | null;
    to: number | null;
  }
  interface Place extends MatchFilter {
    view: string;
    match: number | null;
    race: number | null;
  }

  type Colour = "blue" | "green" | "red" | "yellow";

  type ForgetWish = { match?: number; name?: string };

  interface Face {
    name: string;
    title: string;
    act: string;
    copies: number;
    points: number;
    draws: number;
    draws_when_last: boolean;
  }

  /** An edition with the faces that it prints, as `/api/editions` describes it. */
  interface PrintedEdition {
    key: string;
    name: string;
    race: boolean;
    faces: Face[];
    [more: string]: any;
  }

  /** By which other rules something is to be judged again. */
  interface WhatIfWish {
    scoring?: string;
    house?: Record<string, any>;
    timing?: Record<string, number>;
    handicaps?: Record<string, number>;
  }

  /** When a hand came, and whether that counts. */
  type HandTime = { early: boolean; hammered: boolean; after: number | null };

  /** A sentence of the table: its code, its parts, and what it says in English. */
  type Said = { code: string; text: string; parts?: Record<string, any> };

  /** By player, the seat whose mark they have. */
  type Seats = Record<number, number | null>;

  /** A house rule, and the values that can be chosen for it. */
  interface HouseRule {
    name: keyof Table.HouseRules;
    group: string;
    rule: number;
    values: any[];
    whatIf: "race" | "round" | "match" | "never";
    race?: boolean;
  }

  /** Of what a picture is to be made: a race where there is a ruling, else a match. */
  type SharedThing = { match: number; record?: Past.MatchRecord | null; seats?: Seats; ruling?: number };

  /** What else a shared picture tells of a night. */
  type Fact = { title: string; text: string };

  /** A stretch of time in nanoseconds. */
  type Span = { from: number; to: number };

  /** A hand of a finish that is looked at again, with when it really came down. */
  type PlacedSlap = Past.Place & { press: Past.Press; after: number; real: number };

  /** A slap that has a time worth telling. */
  type TimedSlap = Table.Slap & { after: number };
}

/** Older Safari's name for it. */
declare var webkitAudioContext: typeof AudioContext | undefined;
