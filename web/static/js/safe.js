// The safe page works without this; with it, a screen goes back to the table once it is open again.

import { giveWay } from "./safety.js";

setInterval(() => giveWay(false), 3000);
