// The dialogs that are seldom opened; they are here before anybody asks for one.

export { HallDialog } from "../setup/hall_dialog.js";
export { HeadStart } from "../setup/head_start.js";
export { AllRulings, Overrule } from "./all_rulings.js";
export { Devices } from "./devices.js";
