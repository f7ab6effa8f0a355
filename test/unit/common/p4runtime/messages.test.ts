import * as fc from 'fast-check';
import { RpcError } from '../../../../common/p4runtime/codes';
import { codeName, RPC_CODE } from '../../../../common/p4runtime/rpc-code';
import { decodeStatusDetails } from '../../../../common/p4runtime/codes';
import { electionIdFrom, electionIdMessage } from '../../../../common/p4runtime/election-id';
import { Any } from '../../../../common/p4runtime/generated/google/protobuf/any';
import { Status } from '../../../../common/p4runtime/generated/google/rpc/status';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RUNTIME_SCHEMA } from '../../../../common/p4runtime/generated/schema';

const uint64 = fc.bigInt(0n, 2n ** 64n - 1n);
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);

describe('generated messages', () => {
  test('unsigned 64-bit fields keep all bits', () => {
    fc.assert(
      fc.property(uint64, uint64, (cookie, listId) => {
        const mark = new p4.ForwardingPipelineConfigCookie({ cookie: String(cookie) });
        expect(p4.ForwardingPipelineConfigCookie.deserialize(mark.serialize()).cookie).toBe(
          String(cookie),
        );
        const ack = new p4.DigestListAck({ digestId: 1, listId: String(listId) });
        expect(p4.DigestListAck.deserialize(ack.serialize()).listId).toBe(String(listId));
      }),
    );
  });

  test('signed 64-bit fields keep all bits and the sign', () => {
    fc.assert(
      fc.property(int64, int64, (byteCount, packetCount) => {
        const data = new p4.CounterData({
          byteCount: String(byteCount),
          packetCount: String(packetCount),
        });
        const back = p4.CounterData.deserialize(data.serialize());
        expect([back.byteCount, back.packetCount]).toEqual([
          String(byteCount),
          String(packetCount),
        ]);
      }),
    );
  });

  test('an unset election id is not zero', () => {
    const unset = p4.WriteRequest.deserialize(new p4.WriteRequest({}).serialize());
    expect(unset.hasElectionId).toBe(false);
    expect(electionIdFrom(unset.electionId)).toBeUndefined();
    const zero = new p4.WriteRequest({ electionId: electionIdMessage(0n) });
    const back = p4.WriteRequest.deserialize(zero.serialize());
    expect(back.hasElectionId).toBe(true);
    expect(electionIdFrom(back.electionId)).toBe(0n);
  });

  test('election ids are 128-bit numbers', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (id) => {
        const wire = electionIdMessage(id).serialize();
        expect(electionIdFrom(p4.Uint128.deserialize(wire))).toBe(id);
      }),
    );
    expect(() => electionIdMessage(2n ** 128n)).toThrow('Internal error');
  });

  test('the schema has every field of a table entry, with its number', () => {
    const fields = P4RUNTIME_SCHEMA.messages['p4.v1.TableEntry'] ?? [];
    const numbers = Object.fromEntries(fields.map((each) => [each.name, each.number]));
    expect(numbers).toMatchObject({
      table_id: 1,
      match: 2,
      is_default_action: 8,
      metadata: 11,
      is_const: 13,
    });
    expect(P4RUNTIME_SCHEMA.enums['p4.v1.SdnPort']).toMatchObject({ SDN_PORT_MAX: -257 });
  });
});

describe('status codes', () => {
  test('every code has a name, and a foreign one is shown as it is', () => {
    expect(Object.keys(RPC_CODE).map((_, code) => codeName(code))).toEqual(Object.keys(RPC_CODE));
    expect(codeName(99)).toBe('code 99');
    expect(new RpcError('NOT_FOUND', 'gone').code).toBe(5);
  });

  test('details come in order, unknown ones are told apart', () => {
    const error = (canonicalCode: number, message: string): Any =>
      new Any({
        typeUrl: 'type.googleapis.com/p4.v1.Error',
        value: new p4.Error({ canonicalCode, message }).serialize(),
      });
    const details = [error(0, ''), error(5, 'gone'), new Any({ typeUrl: 'x/other' })];
    const trailer = new Status({ code: 2, message: 'some failed', details }).serialize();
    expect(decodeStatusDetails(trailer)).toEqual([
      { code: 0, message: '' },
      { code: 5, message: 'gone' },
      { code: 2, message: 'a detail of the unknown type x/other' },
    ]);
  });

  test('a call refused as a whole has no details', () => {
    expect(decodeStatusDetails(undefined)).toBeUndefined();
    expect(decodeStatusDetails(new Status({ code: 7 }).serialize())).toBeUndefined();
  });
});
