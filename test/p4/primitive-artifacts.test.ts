import { p4cVersion } from '../../common/io/p4-compiler';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';
import { PRIMITIVE_CALLS } from './support/primitive-calls';
import {
  committedDigests,
  compilePrimitive,
  digestOf,
  primitiveJson,
} from './support/primitive-programs';
import { readManifest } from './support/test-programs';

describe('the programs of primitives', () => {
  test('were made from the present sources', () => {
    const present = Object.fromEntries(PRIMITIVE_CALLS.map((each) => [each.name, digestOf(each)]));
    expect(committedDigests()).toEqual(present);
  });
});

const rows = PRIMITIVE_CALLS.map((each) => [each.name, each] as const);

const version = p4cVersion();
describeIf(version !== undefined, 'p4c on PATH', 'p4c-bm2-ss is not on PATH', () => {
  const some = sampled('programs of primitives are not compiled again', rows, 8);
  test.concurrent.each(some)('makes the committed program of %s again', async (_, primitive) => {
    const json = await compilePrimitive(primitive);
    // Another version may order or name things otherwise: then it must only compile.
    if (readManifest().p4c !== version) return;
    expect(json === primitiveJson(primitive)).toBe(true);
  });
});
