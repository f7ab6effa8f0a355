import { Random } from '../../../../common/random/random';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { EFFORT, SEED } from '../../../support/effort';
import {
  keptOf,
  randomTree,
  readByGoogle,
  shown,
  writtenByGoogle,
} from '../../../support/p4runtime/random-message';

const TYPES = {
  'p4.v1.WriteRequest': p4.WriteRequest,
  'p4.v1.ReadResponse': p4.ReadResponse,
  'p4.v1.StreamMessageRequest': p4.StreamMessageRequest,
  'p4.v1.StreamMessageResponse': p4.StreamMessageResponse,
};
const SEEDS = Array.from({ length: 40 * EFFORT }, (_, i) => SEED + i);

describe.each(Object.entries(TYPES))('messages of type %s', (type, made) => {
  const rewritten = (bytes: Uint8Array): Uint8Array => made.deserialize(bytes).serialize();

  test('have what google-protobuf has written, and are read by it', () => {
    for (const seed of SEEDS) {
      const tree = randomTree(type, new Random(seed));
      const read = readByGoogle(type, rewritten(writtenByGoogle(tree)));
      expect(`seed ${seed}: ${shown(read)}`).toBe(`seed ${seed}: ${shown(keptOf(type, tree))}`);
    }
  });

  test('are refused where google-protobuf refuses the bytes', () => {
    for (const seed of SEEDS) {
      const random = new Random(seed);
      const bytes = writtenByGoogle(randomTree(type, random));
      for (let changes = 0; changes < 20 && bytes.length > 0; changes++) {
        const changed = Uint8Array.from(bytes);
        changed[random.below(bytes.length)] = random.below(256);
        const cut = changed.subarray(
          0,
          random.below(8) === 0 ? random.below(bytes.length) : undefined,
        );
        const [isRead, isReadByGoogle] = [
          isDone(() => made.deserialize(cut)),
          isDone(() => readByGoogle(type, cut)),
        ];
        const what = `seed ${seed}: ${Buffer.from(cut).toString('hex')}`;
        expect(`${isRead} ${what}`).toBe(`${isReadByGoogle} ${what}`);
        if (isRead) expect(isDone(() => readByGoogle(type, rewritten(cut)))).toBe(true);
      }
    }
  });
});

function isDone(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
