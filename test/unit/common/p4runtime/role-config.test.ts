import * as fc from 'fast-check';
import { decodeRoleConfig, encodeRoleConfig } from '../../../../common/p4runtime/role-config';

const ids = fc
  .uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 5 })
  .map((list) => new Set(list));

test('a role keeps what it may do on its way from client to server', () => {
  const scope = fc.record({
    exclusiveIds: ids,
    sharedIds: ids,
    receivesPacketIns: fc.boolean(),
    packetInFilter: fc.option(
      fc.record({
        metadataId: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        value: fc.uint8Array({ minLength: 1, maxLength: 4 }),
      }),
      { nil: undefined },
    ),
    canPushPipeline: fc.boolean(),
  });
  fc.assert(
    fc.property(scope, (each) => expect(decodeRoleConfig(encodeRoleConfig(each))).toEqual(each)),
  );
});
