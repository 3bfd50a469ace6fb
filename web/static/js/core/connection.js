// The live line to the table: views come in, commands go out, and silence is noticed.

import { io } from "../../vendor/socket.io.esm.min.js";
import { MS } from "./axis.js";
import { afterFlash, flash } from "./flashes.js";
import { explainable } from "./rest.js";
import { giveWay } from "./safety.js";
import { change, state, watch } from "./store.js";
import { t } from "./texts.js";

const PULSE = 1500; // milliseconds between two questions whether the view is still the newest
const PATIENCE = 1200; // and how long an answer may take before the page says that it is stale
const ANSWER = 5000; // after which a wish is sent again
const GIVEN_UP = 10000; // and after which it is not; the table counts on that
const SEEN = 2000; // after which a tap is over even if its view got lost

const socket = io({
  autoConnect: false,
  transports: ["websocket"],
  reconnectionDelay: 200,
  reconnectionDelayMax: 1000,
  timeout: 2000,
});
/** @type {any} */
let pushed = null; // the latest view that came by itself, whole
let received = 0; // when the newest view came, by this page's own clock

export function start() {
  socket.on("connect", catchUp);
  socket.on("disconnect", () => change({ link: "stale" }));
  socket.on("connect_error", () => {
    change({ link: state().shown ? "stale" : "connecting" });
    giveWay();
  });
  socket.on("view", completed);
  socket.on("press", flash);
  socket.connect();
  setInterval(catchUp, PULSE);
  document.addEventListener("visibilitychange", () => document.hidden || catchUp());
}

// A view that comes by itself has only what has changed since the one before.
/** @param {any} view */
function completed(view) {
  if (view.since === undefined) pushed = view;
  else if (view.since === pushed?.number) pushed = { ...pushed, ...view, table: { ...pushed.table, ...view.table } };
  else return reconnect();
  const whole = pushed;
  return afterFlash(() => take(whole));
}

/**
 * A view of another run of the service is always newer; in one run the version and time decide.
 * @param {Page.Shown} view
 */
function take(view) {
  const old = state().shown;
  if (old && old.service.boot === view.service.boot && view.service.now < old.service.now) return;
  received = performance.now();
  change({ shown: view });
}

async function catchUp() {
  if (!socket.connected) return;
  const shown = state().shown;
  const asked = shown ? { boot: shown.service.boot, version: shown.table.version } : {};
  try {
    const answer = await socket.timeout(PATIENCE).emitWithAck("catch_up", asked);
    if (answer.view) take(answer.view);
    const { link, role, seat, newcomer } = state();
    const own = answer.seat ?? null;
    if (answer.newcomer?.number !== newcomer?.number) change({ newcomer: answer.newcomer ?? null });
    if (link !== "live" || role !== answer.role || seat !== own) change({ link: "live", role: answer.role, seat: own });
  } catch {
    change({ link: "stale" });
  }
}

// The table's time in nanoseconds, near enough for a countdown.
export function tableNow() {
  const shown = state().shown;
  return shown ? shown.service.now + (performance.now() - received) * MS : 0;
}

/**
 * Do something at the table; a refusal is shown, and what happened comes back when it was done.
 * `onDone` is called then, also where the table has asked first and the referee insisted.
 * @param {Table.Command["kind"]} kind
 * @param {Record<string, any>} fields
 * @param {() => void} [onDone]
 */
export async function act(kind, fields = {}, onDone = () => undefined) {
  change({ pending: state().pending + 1 });
  const answer = await send(kind, fields);
  if (!answer.error) await shownAt(answer.version);
  change({ pending: state().pending - 1 });
  if (!answer.error) {
    if (state().notice) change({ notice: null });
    onDone();
    return answer.events;
  }
  if (answer.insist) change({ refused: { kind, fields, answer, onDone } });
  else change({ notice: answer });
  return false;
}

// A press before the match means nothing; that the table has heard it shows itself as a flash.
/**
 * @param {number} seat
 * @param {object} moment
 */
export function testPress(seat, moment) {
  return send("press_seat", { seat, ...moment });
}

// A tap is over when what it did is on the screen: the next tap comes after seeing it.
/** @param {number} version */
function shownAt(version) {
  const isShown = () => (state().shown?.table.version ?? 0) >= version;
  if (isShown()) return null;
  return new Promise((/** @type {(done?: void) => void} */ resolve) => {
    const done = () => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(done, SEEN);
    const forget = watch(() => isShown() && done());
  });
}

/** @param {Page.Refused} refused */
export async function insist({ kind, fields, onDone }) {
  change({ refused: null });
  const anyway = kind === "play" ? { insist: true } : { confirm: true };
  return act(kind, { ...fields, ...anyway }, onDone);
}

// Nothing is laid into a broken line: it would come before the hello of the next one.
/** @param {number} patience */
function connected(patience) {
  if (socket.connected) return null;
  return new Promise((/** @type {(done?: void) => void} */ resolve) => {
    const done = () => {
      clearTimeout(timer);
      socket.off("connect", done);
      resolve();
    };
    const timer = setTimeout(done, patience);
    socket.on("connect", done);
  });
}

/**
 * The id stays the same, so that a second try has no second effect.
 * @param {string} kind
 * @param {object} fields
 * @returns {Promise<any>}
 */
async function send(kind, fields) {
  const body = { id: newId(), kind, version: state().shown?.table.version, ...fields };
  const until = performance.now() + GIVEN_UP;
  const left = () => Math.min(ANSWER, until - performance.now());
  while (left() > 0) {
    try {
      await connected(left());
      if (socket.connected && left() > 0)
        return await explainable(await socket.timeout(left()).emitWithAck("command", body));
    } catch {
      // No answer came in time, or the line broke meanwhile.
    }
  }
  return { error: "no_answer", message: t("link.no_answer") };
}

/**
 * @param {number} button
 * @param {boolean} down
 */
export function simulate(button, down) {
  if (socket.connected)
    socket.emit(
      "simulate",
      { button, down },
      (/** @type {any} */ answer) => answer?.error && explainable(answer).then((notice) => change({ notice })),
    );
}

/**
 * @param {string} code
 * @param {number | null} seat
 */
export async function pair(code, seat = null) {
  return pairedAnew(await post("/api/pair", seat === null ? { code } : { code, seat }));
}

// Take a free seat with this very phone.
/** @param {string} name */
export async function sitDown(name) {
  return pairedAnew(await post("/api/sit", { name }));
}

/** @param {any} answer */
function pairedAnew(answer) {
  if (!answer.error && socket.active) reconnect();
  return answer;
}

export async function pairedDevices() {
  return fetch("/api/devices").then(
    (answer) => answer.json(),
    () => ({}),
  );
}

/** @param {number} number */
export function endDevice(number) {
  return post("/api/devices/end", { number });
}

export async function signOut() {
  await post("/api/sign-out", {});
  reconnect();
}

// End every session but this one; all codes are new after it.
export function signOutOthers() {
  return post("/api/sign-out/others", {});
}

// Have the referee's link shown on the board for a while.
export function showPairing() {
  return post("/api/pairing", {});
}

// Open or close the table's own Wi-Fi, or have its code shown on the board for a while.
/** @param {object} wish */
export function changeWifi(wish) {
  return post("/api/wifi", wish);
}

// Let the table close, after its journal was lost, and the page with the backups stand in its place.
export function showBackups() {
  return post("/api/lost", {});
}

// Every button as it changes, for the page that checks them; a new connection asks anew.
/** @param {(check: Hardware.Check) => void} take */
export function watchHardware(take) {
  socket.on("hardware", take);
  socket.on("connect", () => socket.emit("watch_hardware"));
}

// Let the table ask for this page's clock, over every connection from now on.
/**
 * @param {() => object} hello
 * @param {(number: number, doubt: number | null) => object} answer
 */
export function offerClock(hello, answer) {
  const sayHello = () => socket.connected && socket.emit("clock", hello());
  socket.on("connect", sayHello);
  socket.on("clock", ([number, doubt]) => socket.emit("clock", answer(number, doubt)));
  return sayHello;
}

// Light one lamp, or all of them one after the other.
/** @param {number | null} button */
export function testLamps(button) {
  return post("/api/hardware/lamps", button === null ? {} : { button });
}

export function tryLights() {
  return post("/api/hardware/lamps", { trial: true });
}

// While the buttons are checked, presses mean nothing at the table.
/** @param {boolean} on */
export function checkButtons(on) {
  return post("/api/hardware/check", { on });
}

/**
 * @param {string} address
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return await explainable(await answer.json());
  } catch {
    return { error: "no_answer", message: t("link.no_answer") };
  }
}

// A socket keeps the cookie that it was opened with.
function reconnect() {
  socket.disconnect().connect();
}

// The time comes first, so that the journal finds the latest ids beside each other; plain HTTP on a
// home network has no crypto.randomUUID.
function newId() {
  const chance = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, "0"));
  return Date.now().toString(16).padStart(12, "0") + chance.join("");
}
