import type { Random } from '../../common/random/random';
import { casesOf } from '../support/effort';
import { corpusOf } from './corpus';
import { changed } from './guidance/change';
import type { FuzzTarget } from './target';

/** The corpus of a target and then changes of it without guidance, the same for the same seed. */
export function* unguided(name: string, target: FuzzTarget, random: Random): Iterable<Uint8Array> {
  const corpus = corpusOf(name, target);
  yield* corpus;
  const words = (target.dictionary?.() ?? []).map((word) => Buffer.from(word));
  const other = (): Uint8Array => corpus[random.below(corpus.length)] ?? new Uint8Array();
  const material = { random, bytesMax: target.bytesMax, words, other };
  for (let i = 0; i < casesOf(target.inSuite); i++) yield changed(other(), material, []);
}
