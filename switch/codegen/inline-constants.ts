/** A constant number of the outermost block. */
const DECLARATION = /^const ([A-Za-z_$][\w$]*) = (\d+);\n/gm;
/** Strings and comments are matched whole, so that names in them stay. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/.*|(?<![.\w$])[A-Za-z_$][\w$]*/g;

/**
 * Puts numbers in the place of the names of cells and headers. No local has the name of a global,
 * as {@link Names} hands out names.
 * PERF: the names are for readers. The compiler of JavaScript treats them as constants as long as
 * a program is loaded once, and reads them from memory, at half the speed, when several switches
 * have the same program.
 */
export function inlineConstants(text: string): string {
  const numbers = new Map<string, string>();
  const rest = text.replace(DECLARATION, (_, name: string, value: string) => {
    numbers.set(name, value);
    return '';
  });
  return rest.replace(TOKEN, (token) => numbers.get(token) ?? token);
}
