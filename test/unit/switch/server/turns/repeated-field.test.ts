import * as fc from 'fast-check';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { elementsOf, withoutField } from '../../../../../switch/server/turns/repeated-field';

const UPDATES = 4;

describe('a message whose repeated field is looked at one by one', () => {
  test('has the same elements and the same other fields', () => {
    const update = fc.record({
      type: fc.constantFrom(
        ...Object.values(p4.UpdateType).filter((one) => typeof one !== 'string'),
      ),
      id: fc.nat({ max: 2 ** 31 }),
    });
    const request = fc.record({
      updates: fc.array(update, { maxLength: 20 }),
      deviceId: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
      role: fc.string(),
      atomicity: fc.nat({ max: 2 }),
    });
    fc.assert(
      fc.property(request, ({ updates, ...fields }) => {
        const whole = new p4.WriteRequest({
          ...fields,
          updates: updates.map(({ type, id }) => {
            const tableEntry = new p4.TableEntry({ tableId: id });
            return new p4.Update({ type, entity: new p4.Entity({ tableEntry }) });
          }),
        });
        const bytes = whole.serialize();
        const rest = withoutField(bytes, UPDATES, Infinity) ?? new Uint8Array(0);
        const elements = (): Iterable<Uint8Array> => elementsOf(bytes, UPDATES);
        const found = [...elements()].map((bytes) => p4.Update.deserialize(bytes).toObject());
        expect(found).toEqual(whole.updates.map((each) => each.toObject()));
        const others = new p4.WriteRequest(fields);
        expect(p4.WriteRequest.deserialize(rest).toObject()).toEqual(others.toObject());
      }),
    );
  });

  test.each([
    ['inside an element', [0x22, 5, 1]],
    ['inside a length', [0x22, 0x80]],
    ['inside a number', [0x08, 0x80]],
    ['inside a fixed number', [0x09, 1, 2]],
  ])('is refused when it ends %s', (_, bytes) => {
    expect(() => withoutField(Uint8Array.from(bytes), UPDATES, Infinity)).toThrow(
      'the message ends',
    );
  });
});
