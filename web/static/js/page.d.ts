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
    pairing: boolean;
    home: { connected: boolean; since: number } | null;
    now: number;
  }

  interface Hearing {
    muted: boolean;
    off: string[];
    voice: boolean;
    buzz: boolean;
  }

  interface State {
    shown: Shown | null;
    link: "connecting" | "live" | "stale";
    role: string;
    seat: number | null;
    notice: Table.Problem | null;
    pending: number;
    refused: { kind: string; fields: object; answer: Table.Problem } | null;
    dialog: { name: string; [about: string]: any } | null;
    language: string | null;
    seen: number | string | null;
    hearing: Hearing;
    exact: number | null;
    awake: "lock" | "video" | null;
    check?: any;
  }

  /** What a component is given: the table, with a match, a round or a race where it is drawn only then. */
  type AtTable<With = {}> = { table: Table.View & With; [more: string]: any };
  type InMatch = { match: Table.MatchShown };
  type InRound = InMatch & { round: Table.RoundInPlay };
  type InRace = { race: Table.RaceShown };

  /** A slap that has a time worth telling. */
  type TimedSlap = Table.Slap & { after: number };
}

/** Older Safari's name for it. */
declare var webkitAudioContext: typeof AudioContext | undefined;
