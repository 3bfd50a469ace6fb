// The screen stays awake while the table plays. Browsers keep their wake lock to secure pages, and a
// table at home is none, so that there a silent video is played behind the page instead.

import { afterFrame, onTouch } from "../core/device.js";
import { change, state } from "../core/store.js";

const SECOND = 1000;

/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {HTMLVideoElement | null} */
let video = null;
let asking = false;

export function startAwake() {
  afterFrame(keepAwake);
  onTouch(() => state().awake === null && afterFrame(keepAwake));
  document.addEventListener("visibilitychange", () => document.hidden || keepAwake());
}

async function keepAwake() {
  if (asking || document.hidden) return;
  asking = true;
  const held = (await locked()) || (await played());
  asking = false;
  if (state().awake !== held) change({ awake: held });
}

// The browser takes the lock back whenever the page is out of sight.
async function locked() {
  if (!navigator.wakeLock) return null;
  if (lock && !lock.released) return "lock";
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    return null;
  }
  lock.addEventListener("release", () => change({ awake: null }));
  return "lock";
}

async function played() {
  video ??= painted();
  if (!video) return null;
  try {
    await video.play();
  } catch {
    return null;
  }
  return "video";
}

// One pixel in the colour of the paper, painted anew each second, as wide as the page and behind it.
function painted() {
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d");
  if (!brush || !canvas.captureStream) return null;
  canvas.width = canvas.height = 16;
  const paint = () => {
    brush.fillStyle = getComputedStyle(document.body).backgroundColor;
    brush.fillRect(0, 0, 16, 16);
  };
  paint();
  setInterval(paint, SECOND);
  const film = document.createElement("video");
  Object.assign(film, {
    className: "awake",
    muted: true,
    loop: true,
    playsInline: true,
    disablePictureInPicture: true,
    tabIndex: -1,
  });
  film.setAttribute("aria-hidden", "true");
  film.srcObject = canvas.captureStream(1);
  film.addEventListener("pause", () => document.hidden || change({ awake: null }));
  document.body.prepend(film);
  return film;
}
