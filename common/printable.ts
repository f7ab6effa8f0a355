/** Control characters but for tab and line feed, among them those of terminals, and what turns the order of text round. */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text as a terminal may get it: names and messages come from documents and peers, and escape sequences in them
 * could change what else is seen, or the terminal itself. Such characters become `\\x1b` and the like.
 */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => {
    const code = character.charCodeAt(0);
    const digits = code.toString(16);
    return code < 256 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
  });
