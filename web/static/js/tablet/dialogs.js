// The dialogs that are seldom opened; they are here before anybody asks for one.

export { HallDialog } from "../setup/hall_dialog.js";
export { HeadStart } from "../setup/head_start.js";
export { Devices } from "./devices/devices.js";
export { AllRulings, Overrule } from "./play/all_rulings.js";
