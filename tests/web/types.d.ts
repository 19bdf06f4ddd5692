// What travels between companion and page, for the type check of the scripts (`make scripts`); browsers never see it.
// The top-level keys of Snapshot, Event, Board, Fault, Chore and Lobby are held against docs/openapi.json by a test.

/** A point of the board in millimetres: x to the right, y down, from the board's top left corner. */
type Point = [number, number];
/** A whole spot: a cell, a place, or two cells joined by "+". */
type Spot = string;
/** A position as the game writes it: by group key what lies where, in the layout of the group. */
type State = Record<string, any>;
/** An English template with its words, and in `message` the same in the reader's language. */
interface Said { text?: string; params?: Record<string, any>; message?: string }

interface Fault extends Said { code: string; character?: string; cells: string[]; allowed: string[] }
interface Chore extends Said { code: string; subject: string; place: Spot | null; to: Spot | null }
/** A chore as the page shows it: with a tick once it was seen done. */
interface ShownChore extends Chore { done: boolean }
interface TableTrouble extends Said { kind: string }
interface Alternative { index: number; text: string; plays?: unknown[] }
interface Flag { verdict: "illegal" | "out-of-step"; faults: Fault[]; chores: Chore[]; guiding?: boolean }
interface Unfinished { faults: Fault[]; chores?: Chore[] }
interface Clock {
  left: Record<string, number>; since: number; running: string | null; free: number;
  increment: number; delay: number; held: boolean; fallen: string[];
}
interface Source { name: string; state: string; since?: number; ailing?: { name: string }[] }
interface Claim { state: State; unknown: Record<string, string>; problems?: string[]; overrides?: string[]; burnt?: string[] }
interface Moment { number: number; turn: number; pick: number | null; character?: string }
interface Qr { size: number; path: string }

/** An answer as it is sent: its kind and its fields. */
interface Answer { kind: string; [field: string]: any }
/** What is expected next, by kind; docs/api.md says what each means. */
interface ExpectedChange { kind: "change"; seat: string | null; left: number }
interface ExpectedArrangement { kind: "arrangement"; start: boolean; reached: string }
interface ExpectedQuestion extends Said {
  kind: "question"; id: string; seat: string; form: Answer[]; labels?: string[]; places?: Spot[]; pointing?: boolean; pointed?: Spot; public?: boolean; purpose?: string | null;
  counts?: Counts | null; given?: number;
}
/** An answer that is made of numbers. */
interface Counts { answer: Answer; key: string; labels: string[]; least: number; most: number }
interface ExpectedDraw { kind: "draw"; pool: string[]; count: number }
interface ExpectedOpening { kind: "opening"; seat: string; purpose: string }
interface ExpectedOver extends Said { kind: "over"; winner: string; code: string }
type Expected = ExpectedChange | ExpectedArrangement | ExpectedQuestion | ExpectedDraw | ExpectedOpening | ExpectedOver;
/** What everybody knows of a secret: whose, which, and how it was told. */
interface ToldSecret { seat: string; purpose: string; number: number; mode: string; commitment: string | null; value?: string }
interface OwnChoice extends Said { value: string; place: Spot | null }
interface Tell extends Said { purpose: string; choices: OwnChoice[] }
/** What a seat may tell on the screen that all share. */
interface SeatTell extends Tell { seat: string }
/** A commitment that is not opened yet, in words. */
interface Seal extends ToldSecret { words: string }
/** What one seat alone is shown. */
/** An answer that a seat may give although nobody asks. */
interface Deed extends Said { answer: Answer }
interface Own { lines: Said[]; trail: Spot[]; tells: Tell[]; deeds?: Deed[]; counting?: { purpose: string; number: number }[] }
/** What a seat alone sees on the board: places to choose, those that are chosen, its own way in order. */
interface Lit { choose: Spot[]; chosen: Spot[]; trail: Spot[]; byKeys?: boolean }

/** What everybody may see now, and in `own` what only this page's seat may. What a game alone has is read by the names that its
    board file gives under `page`. */
interface Snapshot {
  rulings?: SentRuling[]; picture_for?: "arbiters" | "spectators";
  seating?: { name: string; seats: string[] }[];
  number: number; game: { id: string; name: string; edition: string; label: string }; match: string;
  phase: string; turn: number; pick: number; mover: string | null; movers: string[];
  position: State; notation?: string | null; table: Claim | null;
  played: string[]; available?: string[] | null; cards?: string;
  flag: Flag | null; unfinished: Unfinished | null; whose_play?: string | null; doubt: { alternatives: Alternative[]; again?: string; message?: string } | null;
  chores: Chore[]; blind?: string[]; question: { kind: string; text: string } | null; secret: string;
  expects?: Expected[]; seats?: string[]; secrets?: ToldSecret[]; seals?: Seal[]; own?: Own | null; tells?: SeatTell[];
  commitment?: string | null; commitment_words?: string | null; commitment_qr?: Qr | null;
  outcome: (Said & { winner: string }) | null; opened?: Record<string, any> | null;
  house_rules: Record<string, string>; adjourned?: boolean; restoring?: unknown; clock?: Clock | null; take_back?: Moment[];
  penalties?: { against: string; reason: string }[];
  head?: string | null; turn_head?: { number: number; turn: number; words: string } | null;
  undo: string | null; undo_refused?: string | null;
  simulated: boolean; source: Source; status: { state: string; since?: number };
  moving: boolean; occluded: boolean; trouble: string | null; troubles: TableTrouble[];
  counts?: Said[]; ways?: OpenedWay[];
  ring?: RingSeat[]; row?: CardRow | null; clock_face?: { at: number; of: number } | null; deduced?: { roles: Record<string, string[]> } | null;
  witness?: unknown; suspects?: unknown; called?: unknown; recall?: unknown;
}

/** A way over the board that was secret, once it was opened: its spots in order, others that matter, what was done on it. */
type OpenedWay = Said & { way: Spot[]; marked: Spot[]; lines: Said[] };
/** What is drawn of a map or a way: spots that are possible, ruled out, gone over in order, and marked. */
interface ShownMap { possible: Spot[]; out: Spot[]; way: Spot[]; marked: Spot[] }

/** In a hall: a ruling that was sent to the table, and what became of it. */
interface SentRuling {
  ruling: string; arbiter: string; state: string; told: string; at: number; what: string; reason: string; about: number;
}
/** A table as a tile of a hall's wall. */
interface Tile {
  table: string; name: string; match: string; number: number; online: boolean; heard: number; state: string; needs: boolean;
  since: number | null; game: string; turn: number | null; round: Said | null; mover: Said | null; plays: Said | null; line: Said; clock: TileClock | null;
  troubles: Said[]; simulated: boolean;
}
interface TileClock {
  left: Record<string, number>; running: string | null; since: number; free: number; fallen: string[]; names: Record<string, Said>;
}

/** One seat of a ring, in the order of the table: what everybody knows of it, and what it may do now. */
interface RingSeat { seat: string; turn: boolean; hand: number; out: boolean; notes: Said[]; may: Said | null; deeds?: Deed[] }
/** Cards that are laid one after the other, by whom, and who may answer the last one. */
interface CardRow { cards: (Said & { seat: string })[]; may: string[] }

/** The part of a snapshot from which a board is drawn: of now, of a moment that is over, or of a position that is being set up. */
type BoardState = Pick<Snapshot, "position" | "table" | "flag" | "chores" | "turn" | "expects"> & Partial<Pick<Snapshot, "unfinished">>;

/** One event of the record as it is sent; what `data` holds differs by kind, see docs/api.md. */
interface RecordEvent {
  number: number; at: number; kind: string; data: Record<string, any>;
  text: string; urgency: "polite" | "assertive"; spoken: boolean; aloud: string;
}

interface Move { piece: string; from: Spot | null; to: Spot | null; path?: Spot[] }
/** One step of the game so far: what was done, and the position that it left. */
interface Step {
  number: number; kind: "start" | "play" | "answer" | "ruling"; text: string; turn: number; pick: number | null;
  character: string | null; answer: Record<string, any>; position: State; moves: Move[];
}

interface Cell { id: string; kind: string; name?: string; decor: string | null; at: Point; outline: Point[] }
interface Place { id: string; kind: string; name?: string; at: Point; value: number | null; gate: string | null }
/** An area of cards: `order` row or stack, the cards staggered `along` a direction; of a `masked` one nothing is read. */
interface Zone { id: string; kind: string; at: Point; outline: Point[]; order: string | null; along: Point; masked: boolean }
interface Group {
  key: string; singular: string; shape: string; layout: string; size: Point; on: string[]; cells: number; spots: Spot[];
}
interface Piece {
  id: string; group: string; name: string; mark: string; colour: string | null; faces: string[]; facing: boolean;
  label: string | number | null; shared?: string[];
}
interface Rule { name: string; text: string; choices: string[]; default: string }
/** A shape of a symbol: one of path, circle, rect and ellipse; colours by name or as "#…". Millimetres around the middle. */
interface Shape {
  path?: string; circle?: number[]; rect?: number[]; ellipse?: number[]; body?: boolean; at?: string;
  fill?: string; stroke?: string; width?: number; cap?: string; join?: string; opacity?: number;
}
/** How a body or a text looks; several fills are taken in turn, so that not all cells are alike. */
interface Look {
  fill?: any; edge?: string; width?: number; dash?: string; join?: string; weight?: number; x?: number; y?: number; size?: number;
}
/** How a kind of ground is drawn: `along` a symbol that points along the cell's one-way link; no label where it is null. */
interface Ground extends Look { pattern?: string; symbol?: string; along?: string; label?: (Look & { inside?: boolean }) | null }
/** How one side of a piece is drawn. */
interface Face { body?: Look; symbol?: string; text?: Look; glows?: boolean }
/** How a group of pieces is drawn, and its sides by name or number, "*" for all others; `whole`: the symbol is all of it. */
interface Drawn extends Face { whole?: boolean; faces?: Record<string, Face> }
/** How the board says that it is drawn. */
interface Drawing {
  colours?: Record<string, [string, string]>; symbols?: Record<string, Shape[]>;
  around?: { pattern: string; afloat?: string[]; islands?: string[]; ways?: string };
  ground?: Record<string, Ground>; pieces?: Record<string, Drawn>;
}
/** The printed board and its pieces. */
interface Board {
  id: string; name: string; edition: string; label: string; size: Point; frame: [number, number, number, number];
  frame_colours: Record<string, string>; cell: Point; doubts?: Record<string, string[]>; one_way?: [string, string][];
  directions: Record<string, Point>; cells: Cell[]; places: Place[]; zones?: Zone[]; groups: Group[]; pieces: Piece[]; rules: Rule[];
  drawing?: Drawing; labels?: Record<string, string>; page?: PageData;
  surface?: string; spacing?: number; links?: [string, string][];
}
/** A symbol of the page and a shade. */
interface SignLook { symbol?: string; look?: "light" | "dark" }
/** How an answer of the game looks and is called; `label` and `said` are keys of `labels`. */
interface AnswerLook extends SignLook { answer: Answer; name?: string; label?: string; said?: string; spoken?: string[] }
/** What the board file says of the game's own part of snapshots, events and answers. */
interface PageData {
  answers?: AnswerLook[];
  answered?: { in: string; names?: string; again?: { when: string; answer: Answer } };
  events?: Record<string, "asks" | "answers" | "begins">;
  people?: { left: string; states: string; looks?: Record<string, SignLook> };
  secret?: { seat: string; key: string };
  maps?: { in: string; of: string[]; label: string }[];
  settable?: string[];
}

/** Where one piece is shown; a card of a zone as the `rank`th `of` so many, and `nameless` where only a side that several share shows. */
interface Placement {
  piece: string; place: Spot; face: string | null; facing: string | null; group: string; doubt?: "unknown" | "missing";
  rank?: number; of?: number; nameless?: boolean;
}

interface Pass { id: string; role: string; seat: string; expires: number; delay: number; came?: boolean }
interface GivenPass {
  pass: Pass; link: string; overlay?: string; qr: Qr | null; trust?: { qr: Qr; words: string; link: string }; note: string;
}

/** Button boxes, and the keys that do the same. */
interface Boxes {
  looking: boolean; boxes: any[]; roles: string[]; shuffled: boolean; keys: Record<string, string>; hold: number;
  may: Record<string, boolean>;
}

interface LobbyCamera {
  kind: string; address: string; name: string; simulated: boolean; recorded: boolean; state: string;
  size: Point | null; trouble_line: Said | null;
}
interface Resume {
  name: string; turn: number; over: boolean; secret: string; asks: string; camera: LobbyCamera | null; lines: Said[];
}
interface KnownTable {
  id: string; name: string; game: string; edition: string; label: string; mode: string; used: number; kind: string; address: string;
}
/** How an evening is to be played. */
interface Choices {
  seating: { name: string; seats: string[] }[];
  secret: string; deal: boolean; album: boolean; rules: Record<string, string>;
  clock: { seconds: number; increment: number; delay: number } | null;
  copy?: Record<string, Record<string, Record<string, string>>>;
}
/** What the owner enters from his copy: rows and columns with what they are called, and the rows that this match needs. */
interface CopyTable extends Said {
  name: string; longest: number; rows: (Said & { id: string })[]; columns: (Said & { id: string })[]; needed: string[];
}
/** Everything chosen before the game, and what is missing. */
interface LobbyState {
  seating: { least: number; most: number; alone: string[] } | null;
  deals: boolean;
  at: string; playing: boolean; changed: boolean; fixed: boolean; steps: { id: string; done: boolean }[];
  missing: (Said & { step: string })[]; game: string | null; edition: string | null;
  labels: Record<string, string>; seats: string[]; games: { id: string; label: string; editions: { id: string; label: string }[] }[]; tables: KnownTable[];
  resume: Resume | null; camera: LobbyCamera | null;
  board: {
    way: string | null; error_mm?: number | null; corners: Point[] | null; line: Said; pieces?: (Said & { all: boolean }) | null;
    problems: string[]; hints: Said[];
  };
  mode: string | null; pictures: string[]; shown: string[]; losable: boolean; sides: Said[] | null; lessons: number; problems: string[] | null; accepted: boolean;
  exchanged: Said | null; learnt: Said | null; name: string; choices: Choices; rules: (Said & { name: string; choices: string[]; default: string })[];
  copy_tables: CopyTable[]; deck: (Said & { id: string; known: boolean })[];
  drawing?: { board: Board; start: State };
}

/** What was refused, and what to do about it. */
interface Told { message: string; advice?: string; code?: string; fingerprint?: string }

/** What an element can be made of; nested lists are laid flat, what is nothing is left out. */
type Child = Node | string | number | boolean | null | undefined | Child[];
/** Attributes of an element; those that begin with "on" are handlers of events. */
type Attributes = { [name: string]: any };

/** Every element of the page is one of HTML or of SVG; both can be focused and have data. */
interface Element extends HTMLOrSVGElement {}

/** What a sound thread has, and nothing else does. */
declare class AudioWorkletProcessor { port: MessagePort }
declare function registerProcessor(name: string, kind: typeof AudioWorkletProcessor): void;
