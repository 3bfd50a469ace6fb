// All that takes the whole screen, in one chunk that the start does not wait for.

export { MomentScreen, WinnerScreen } from "./moment.js";
export { OtherLayer, PhotoFinish, RaceScreen } from "./race.js";
