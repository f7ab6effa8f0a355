import type { Wanted } from '../io/messages';

/** Content of a link to the playground. */
export type Opened = Partial<Wanted> & {
  /** A scenario that comes with the project, in place of a text. */
  readonly name?: string;
  /** True to show no more than knobs and figures, inside of another page. */
  readonly isEmbedded: boolean;
};

const KEY = 'scenario';

/** The part behind the # of a link that holds a whole scenario. */
export async function linkHash({ text, seed, algorithm }: Wanted): Promise<string> {
  const bytes = await compressed(JSON.stringify({ text, seed, algorithm }));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const code = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `#${KEY}=z${code}`;
}

/**
 * Reads the content of a link: `#scenario=NAME` a scenario of the catalogue, `#scenario=z...` a whole one; `&seed=` and
 * `&embed` beside it. @throws Error for a link that was damaged.
 */
export async function openedBy(hash: string): Promise<Opened> {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const isEmbedded = given.has('embed');
  const scenario = given.get(KEY) ?? '';
  const seed = Number(given.get('seed') ?? NaN);
  const seeded = Number.isSafeInteger(seed) ? { seed } : {};
  if (!/^z[\w-]{8,}$/.test(scenario)) {
    return { isEmbedded, ...seeded, ...(scenario !== '' && { name: scenario }) };
  }
  try {
    const binary = atob(scenario.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
    const text = await expanded(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
    const opened = JSON.parse(text) as Partial<Wanted>;
    return { ...opened, isEmbedded };
  } catch {
    throw new Error('This link is damaged: its scenario cannot be read.');
  }
}

async function compressed(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A longer scenario is not written by hand; a short link could expand to anything. */
const TEXT_MAX = 4_000_000;

async function expanded(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).text();
    length += value.length;
    if (length > TEXT_MAX) throw new Error('too long');
    parts.push(value);
  }
}
