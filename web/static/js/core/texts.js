// All words of the page come from one catalogue per language, the table's own sentences too.

const PLACE = /\{(\w+)\}/g;
const MEASURED = ["doubt", "margin", "ms", "seconds"]; // parts that are written with a decimal sign

const STAND_IN = /^Player (\d+)$/; // as the table names somebody who only pressed a button

/** @type {any} */
let catalogue = {};
let whole = false; // whether the texts are wanted too that no first view needs
/** @type {Promise<unknown>} */
let loading = Promise.resolve();

/**
 * One language after the other, so that the one asked for last is the one that is spoken.
 * @param {string} language
 */
export function loadTexts(language) {
  const loaded = loading.then(() => load(language));
  loading = loaded.catch(() => undefined);
  return loaded;
}

// What a part of the page says that comes later, and what the table answers; some pages have all of it at once.
export function loadAllTexts() {
  if (!document.querySelector("link[hreflang][data-later]")) return loading;
  whole = true;
  return loading.then(() => loadTexts(document.documentElement.lang));
}

/** @param {string} language */
async function load(language) {
  /** @type {HTMLLinkElement | null} */
  const place = document.querySelector(`link[type="application/json"][hreflang="${language}"]`);
  const addresses = [place?.href ?? "", whole && place?.dataset.later];
  const read = addresses.filter(Boolean).map(async (address) => (await fetch(String(address))).json());
  const sections = (await Promise.all(read)).flatMap((texts) => Object.entries(texts));
  catalogue = {};
  for (const [section, texts] of sections) catalogue[section] = { ...catalogue[section], ...texts };
  document.documentElement.lang = language;
}

/**
 * @param {string} key
 * @param {Record<string, unknown>} parts
 * @returns {string}
 */
export function t(key, parts = {}) {
  const text = found(key);
  if (text === null) {
    console.error(`The text ${key} is missing`);
    return key;
  }
  return text.replace(PLACE, (whole, name) => (name in parts ? measured(name, parts[name]) : whole));
}

/** @param {string} key */
export function has(key) {
  return found(key) !== null;
}

// The table says each sentence with a code, its parts, and English text. Where the language has no
// sentence of its own, or the parts are not enough for it, the English text stands.
/**
 * @param {Page.Said} sentence
 * @returns {string}
 */
export function sentenceText({ code, text, parts = {} }) {
  const key = code.replaceAll(".", "_");
  const own = found(`sentences.${key}`) ?? found(`answers.${key}`);
  if (own === null || [...own.matchAll(PLACE)].some(([, name]) => !(name in parts))) return text;
  return own.replace(PLACE, (_, name) => inWords(name, parts));
}

/**
 * A refusal, as the table answers it.
 * @param {Table.Problem} problem
 */
export function explained({ error, message, parts }) {
  return sentenceText({ code: error, text: message, parts });
}

// A card by its colour and the title that the edition prints on it. A title that is not in the
// catalogue, such as one of a home-made edition, stays as it is printed.
/**
 * @param {string | null} colour
 * @param {string} title
 * @returns {string}
 */
export function titled(colour, title) {
  const key = `cards.titles.${title.toLowerCase().replaceAll(" ", "_")}`;
  const face = has(key) ? t(key) : title;
  return colour ? t("card.coloured", { colour: colourInWords(colour), title: face }) : face;
}

// A player without a name is called by a number, in the language of the page.
/**
 * @param {string} names
 * @returns {string}
 */
export function displayName(names) {
  return names
    .split(", ")
    .map((name) => name.replace(STAND_IN, (_, number) => t("common.player", { number })))
    .join(", ");
}

/** @param {string} name */
export function isStandIn(name) {
  return STAND_IN.test(name);
}

// The table as the people at it are called on this page.
/**
 * @param {Table.View} table
 * @returns {Table.View}
 */
export function named(table) {
  const own = (/** @type {any[]} */ list) =>
    list.map((/** @type {any} */ one) => ({ ...one, name: displayName(one.name) }));
  const match = table.match && { ...table.match, players: own(table.match.players) };
  return { ...table, seats: own(table.seats), match };
}

/** @param {(string | number)[]} names */
export function listed(names) {
  return names.join(t("list.separator"));
}

/**
 * @param {string} key
 * @returns {string | null}
 */
function found(key) {
  const text = key.split(".").reduce((branch, name) => branch?.[name], catalogue);
  return typeof text === "string" ? text : null;
}

// Some parts are English words themselves; beside each of these comes what it was made from.
/**
 * @param {string} name
 * @param {Record<string, any>} parts
 * @returns {string}
 */
function inWords(name, parts) {
  const value = parts[name];
  if (`${name}_code` in parts) return sentenceText({ code: parts[`${name}_code`], text: value, parts });
  switch (name) {
    case "title":
      return cardInWords(parts.card, value);
    case "on":
      return cardInWords(parts.top, value);
    case "colour":
      return colourInWords(value);
    case "way":
      return t(`way.${value}.title`);
    default:
      return typeof value === "string" ? displayName(measured(name, value)) : measured(name, value);
  }
}

// "blue-draw" with the title "blue Draw Two" is said with its colour, with "Draw Two" without.
/**
 * @param {string | undefined} card
 * @param {string} title
 */
function cardInWords(card, title) {
  const [colour] = (card ?? "").split("-");
  const own = has(`colour.${colour}`) && title.startsWith(`${colour} `);
  return own ? titled(colour, title.slice(colour.length + 1)) : titled(null, title);
}

// In the middle of a sentence a colour may be written otherwise than on a button.
/** @param {string} colour */
function colourInWords(colour) {
  const key = `cards.colours.${colour}`;
  return t(has(key) ? key : `colour.${colour}`);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function measured(name, value) {
  return MEASURED.includes(name) ? String(value).replace(".", t("number.decimal")) : String(value);
}
