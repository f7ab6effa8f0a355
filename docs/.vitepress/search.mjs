// How the search of the site parts text into words and weighs what it finds. VitePress writes these functions into the
// pages as text, so that none may use anything beyond its arguments.

/**
 * Words of a page, or of what a reader asks. An option is a word of its own beside the words in it; asked for, it is
 * that word alone: `--feedback` is not every page on feedback.
 * @param {string} text
 * @param {string} [field] part of the page; absent for what is asked
 * @returns {string[]}
 */
export function tokenize(text, field) {
  const isAsked = field === undefined;
  const options = text.match(/(?<![\w-])--[a-z0-9]+(?:-[a-z0-9]+)*/g) ?? [];
  const rest = isAsked ? text.replaceAll(/(?<![\w-])--[a-z0-9]+(?:-[a-z0-9]+)*/g, ' ') : text;
  const words = rest.split(/[\n\r\p{Z}\p{P}\p{S}]+/u).filter((word) => word !== '');
  return [...options, ...words];
}

export const searchOptions = {
  /** Short words are symbols: T is not every word that begins with it. @param {string} term */
  prefix: (term) => term.length > 2,
  /** @param {string} term */
  fuzzy: (term) => (term.length > 3 && !term.startsWith('--') ? 0.2 : false),
  boost: { title: 4, text: 2, titles: 1 },
  /**
   * A row of the glossary or of settings says what a word is; other pages use it.
   * @param {string} id
   * @param {string} term
   */
  boostDocument: (id, term) => {
    if (/\/settings\.html#.*--/.test(id)) return term.startsWith('--') ? 4 : 1;
    if (/\/(commands|switch)\.html#.*--/.test(id)) return term.startsWith('--') ? 2 : 1;
    return /\/glossary\.html#.*--/.test(id) && !term.startsWith('--') ? 3 : 1;
  },
};
