// What the companion expects next, by kind: what every part of the page asks of a snapshot instead of the name of a phase.

/** @typedef {Pick<Snapshot, "expects">} Expecting */

/**
 * The first expectation of a kind, null where there is none.
 * @template {Expected["kind"]} K
 * @param {Expecting} snapshot
 * @param {K} kind
 * @returns {Extract<Expected, { kind: K }> | null}
 */
export const expected = (snapshot, kind) =>
  /** @type {any} */ ((snapshot.expects ?? []).find((one) => one.kind === kind) ?? null);

/** The game is over. */
export const over = (/** @type {Expecting} */ snapshot) => Boolean(expected(snapshot, "over"));
/** The table is being laid for the start, or nothing of a game is on record yet. */
export const settingUp = (/** @type {Expecting} */ snapshot) =>
  !snapshot.expects?.length || Boolean(expected(snapshot, "arrangement")?.start);
/** The table has to be brought into order before the game goes on. */
export const tidying = (/** @type {Expecting} */ snapshot) => expected(snapshot, "arrangement")?.start === false;
/** A seat has to answer, or to show what it kept to itself. */
export const asking = (/** @type {Expecting} */ snapshot) =>
  Boolean(expected(snapshot, "question") ?? expected(snapshot, "opening"));
/** Whether every answer to a question opens a secret: then it is asked for as every opening is. */
export const opensSecret = (/** @type {ExpectedQuestion} */ asked) =>
  asked.form.length > 0 && asked.form.every((answer) => answer.kind === "reveal");
/** Somebody is asked to open what was kept secret: nothing is told in secret any more. */
export const opening = (/** @type {Expecting} */ snapshot) => {
  const asked = expected(snapshot, "question");
  return Boolean(expected(snapshot, "opening")) || (asked !== null && opensSecret(asked));
};
/** Plays are made, and nobody is asked anything meanwhile. */
export const playing = (/** @type {Expecting} */ snapshot) => Boolean(expected(snapshot, "change")) && !asking(snapshot);
