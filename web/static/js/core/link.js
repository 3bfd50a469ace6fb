// The code of a link is sent by the page itself: a link that another site opens, as an image or in a frame, does
// nothing. It leaves the address bar either way.

import { pair } from "./connection.js";
import { change } from "./store.js";
import { has, t } from "./texts.js";

export async function followLink() {
  const { pathname, search } = location;
  const code = new URLSearchParams(search).get("code");
  if (code === null) return;
  history.replaceState(null, "", pathname);
  const seat = Number(pathname.split("/")[2]) || null;
  const answer = await pair(code.slice(0, 64), seat);
  if (!answer.error) return;
  const text = `pair.${answer.error}${seat === null ? "" : "_seat"}`;
  change({ notice: has(text) ? { error: answer.error, message: t(text) } : answer });
}
