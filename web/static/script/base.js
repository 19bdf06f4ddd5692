// Where the addresses of this page's table begin: at the root beside the table itself, below it in a hall of tables.

const data = document.documentElement.dataset;
/** An address of this page's table. */
export const at = (/** @type {string} */ address) => (data.base ?? "") + address;
/** Whether this is a page of a hall: what the arbiter says is sent to the table. */
export const inHall = data.hall === "yes";
/** What this page has seen of the table: the number of its last event, and in a hall whether nothing is heard of it now. */
export const seen = { number: 0, away: false };
