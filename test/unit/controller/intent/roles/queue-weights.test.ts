import { networkSpec } from '../../../../../controller/document/network';
import { networkSchema } from '../../../../../controller/document/schema';
import { queueWeights } from '../../../../../controller/intent/roles/queue-weights';

const CLASSES = [
  { dscp: 10, queue: 1, weight: 3 },
  { dscp: 20, queue: 0, weight: 1 },
  { dscp: 46, queue: 7 },
];

describe('weights of queues', () => {
  test('are those of the classes, and those of the port where it has some', () => {
    expect([...queueWeights({ classes: CLASSES })]).toEqual([
      [1, 3],
      [0, 1],
    ]);
    const port = { port: 4, priorities: [{ priority: 1, weight: 7 }] };
    expect(queueWeights({ classes: CLASSES }, port).get(1)).toBe(7);
  });

  test.each([
    ['bmv2', 's1: bmv2 serves queues by priority, and a class or queue has a weight (DWRR)'],
    ['stratum', 's1: Stratum is told no weights, and a class or queue has a weight (DWRR)'],
  ])('are refused for %s by name', (target, sentence) => {
    const document = (classes: typeof CLASSES) =>
      networkSchema.parse({ telemetry: { classes }, switches: [{ name: 's1', target }] });
    expect(() => networkSpec(document(CLASSES))).toThrow(sentence);
    expect(() => networkSpec(document(CLASSES.slice(2)))).not.toThrow();
  });
});
