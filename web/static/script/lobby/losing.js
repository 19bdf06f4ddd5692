// What was taught with pictures belongs to one camera, one board and one place: before it is lost, it is asked.

import { sure } from "../panels/sure.js";
import { t } from "../words.js";
import { lobby } from "./state.js";

/** Whether what depends on the pictures that were taken may be lost; asked only where there are any. */
export const mayLose = async () =>
  !lobby.state?.losable ||
  sure(
    t("Lose the pictures that were taken?"),
    [
      t("They fit this camera and this board only: after the change they have to be taken again."),
      lobby.state?.playing &&
        t("The game goes on with them until the table is changed; “Back to the game” leaves everything as it was."),
    ],
    t("Go on without them"),
  );
