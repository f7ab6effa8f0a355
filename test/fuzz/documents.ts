import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { InputError } from '../../common/errors';
import { readOrRefused, holds } from './target';
import type { TakeInput } from './target';

/**
 * Reads documents of text. What is accepted and written as JSON is read again as the same.
 * @param read throws InputError for what it refuses.
 */
export function takeDocuments(read: (text: string) => unknown): TakeInput {
  return (input) => {
    const text = Buffer.from(input.buffer, input.byteOffset, input.length).toString('utf8');
    const value = readOrRefused(() => read(text), InputError);
    if (value === undefined) return;
    const written = JSON.stringify(value);
    const again = read(written);
    holds(isDeepStrictEqual(again, value), () => `written as ${written}, and read as another`);
  };
}

/**
 * One small document for each section of these, and for each parameter: what is short is read fast,
 * and a change of it more often meets what it is about.
 * @param base what makes a document of a section.
 */
export function sectionsOf(texts: readonly string[], base: object, bytesMax: number): string[] {
  const written = texts.flatMap((text) =>
    partsOf(parse(text) as Readonly<Record<string, unknown>>).map((part) =>
      stringify({ ...base, ...part }, { collectionStyle: 'flow', lineWidth: 0 }),
    ),
  );
  return [...new Set(written)].filter((text) => text.length <= bytesMax);
}

const partsOf = (document: Readonly<Record<string, unknown>>): object[] =>
  Object.entries(document).flatMap(([key, value]) =>
    key === 'parameters'
      ? Object.entries(value as object).map(([name, of]: [string, unknown]) => ({
          parameters: { [name]: of },
        }))
      : [{ [key]: value }],
  );

/** The words of documents, which their mutations are made of. */
export function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.match(/[A-Za-z][A-Za-z0-9_-]{2,}(: )?/g) ?? []);
  return [...new Set(words)].slice(0, WORDS_MAX);
}

const WORDS_MAX = 500;
