// All that takes the whole screen, in one chunk that nobody waits for at the start.

export { MomentScreen, WinnerScreen } from "./moment.js";
export { OtherLayer, PhotoFinish, RaceScreen } from "./race.js";
