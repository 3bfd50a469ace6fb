// The live line to the table: views come in, commands go out, and silence is noticed.

import { io } from "../../vendor/socket.io.esm.min.js";
import { MS } from "./axis.js";
import { afterFlash, flash } from "./flashes.js";
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
let received = 0; // when the newest view came, by this page's own clock

export function start() {
  socket.on("connect", catchUp);
  socket.on("disconnect", () => change({ link: "stale" }));
  socket.on("connect_error", () => {
    change({ link: state().shown ? "stale" : "connecting" });
    giveWay();
  });
  socket.on("view", (view) => afterFlash(() => take(view)));
  socket.on("press", flash);
  socket.connect();
  setInterval(catchUp, PULSE);
  document.addEventListener("visibilitychange", () => document.hidden || catchUp());
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
    const { link, role, seat } = state();
    const own = answer.seat ?? null;
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
 * @param {Table.Command["kind"]} kind
 * @param {Record<string, any>} fields
 */
export async function act(kind, fields = {}) {
  change({ pending: state().pending + 1 });
  const answer = await send(kind, fields);
  if (!answer.error) await shownAt(answer.version);
  change({ pending: state().pending - 1 });
  if (!answer.error) {
    if (state().notice) change({ notice: null });
    return answer.events;
  }
  if (answer.insist) change({ refused: { kind, fields, answer } });
  else change({ notice: answer });
  return false;
}

// A tap is over when what it did is on the screen: whoever taps on has seen it.
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

export async function insist({ kind, fields }) {
  change({ refused: null });
  const anyway = kind === "play" ? { insist: true } : { confirm: true };
  return act(kind, { ...fields, ...anyway });
}

// Nothing is laid into a broken line: it would come before the hello of the next one.
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
 * @returns {Promise<any>}
 */
async function send(kind, fields) {
  const body = { id: newId(), kind, version: state().shown?.table.version, ...fields };
  const until = performance.now() + GIVEN_UP;
  const left = () => Math.min(ANSWER, until - performance.now());
  while (left() > 0) {
    try {
      await connected(left());
      if (socket.connected && left() > 0) return await socket.timeout(left()).emitWithAck("command", body);
    } catch {
      // Nobody answered in time, or the line broke meanwhile.
    }
  }
  return { error: "no_answer", message: t("link.no_answer") };
}

export function simulate(button, down) {
  if (socket.connected)
    socket.emit("simulate", { button, down }, (answer) => answer?.error && change({ notice: answer }));
}

export async function pair(code) {
  const answer = await post("/api/pair", { code });
  if (!answer.error) reconnect();
  return answer;
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

// Every button as it changes, for the page that checks them; a new connection asks anew.
export function watchHardware(take) {
  socket.on("hardware", take);
  socket.on("connect", () => socket.emit("watch_hardware"));
}

// Let the table ask for this page's clock, over every connection from now on.
export function offerClock(hello, answer) {
  const sayHello = () => socket.connected && socket.emit("clock", hello());
  socket.on("connect", sayHello);
  socket.on("clock", ([number, doubt]) => socket.emit("clock", answer(number, doubt)));
  return sayHello;
}

// Light one lamp, or all of them one after the other.
export function testLamps(button) {
  return post("/api/hardware/lamps", button === null ? {} : { button });
}

// While the buttons are checked, presses mean nothing at the table.
export function checkButtons(on) {
  return post("/api/hardware/check", { on });
}

async function post(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return await answer.json();
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
