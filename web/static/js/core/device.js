// What this device keeps for itself: its language, and what it may be heard saying.

// A browser that is told to keep nothing throws at the very question.
/** @param {string} place */
export function kept(place) {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/**
 * @param {string} place
 * @param {string} value
 */
export function keep(place, value) {
  try {
    localStorage.setItem(place, value);
  } catch {
    // It holds until the page is closed.
  }
}

// The browser lets a page sound, speak and keep the screen awake only after it was touched once.
export function touched() {
  return navigator.userActivation ? navigator.userActivation.hasBeenActive : true;
}

const TOUCHES = ["pointerup", "mousedown", "touchend", "keydown"];

/** @param {() => void} then */
export function onTouch(then) {
  for (const name of TOUCHES)
    document.addEventListener(name, () => touched() && then(), { capture: true, passive: true });
}

// Whatever may take a moment waits until the picture is on the screen.
/** @param {() => void} then */
export function afterFrame(then) {
  requestAnimationFrame(() => setTimeout(then));
}
