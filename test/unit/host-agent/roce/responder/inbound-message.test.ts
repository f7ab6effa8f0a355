import { admit } from '../../../../../host-agent/roce/responder/inbound-message';
import type { InboundMessage } from '../../../../../host-agent/roce/responder/inbound-message';
import type { DataRequest } from '../../../../../host-agent/roce/packets/roce-packet';

const RULES = {
  mtu: 256,
  region: { key: 7, base: 0, length: 1000, access: { write: true, read: true } },
  sendOffset: 40,
};
const INVALID = { kind: 'refused', reason: 'invalid-request' };
const NO_ACCESS = { kind: 'refused', reason: 'remote-access-error' };

const write = (
  position: DataRequest['position'],
  payloadLength: number,
  dmaLength?: number,
): DataRequest => ({
  kind: 'write',
  position,
  payloadLength,
  immediate: undefined,
  payloadAt: 0,
  reth:
    dmaLength === undefined
      ? undefined
      : { virtualAddress: { high: 0, low: 100 }, remoteKey: 7, dmaLength },
});
const send = (position: DataRequest['position'], payloadLength: number): DataRequest => ({
  ...write(position, payloadLength),
  kind: 'send',
});

const writing = (rest: number): InboundMessage => ({ kind: 'write', offset: 356, rest });
const sending: InboundMessage = { kind: 'send', offset: 296, rest: undefined };

describe('a packet in order', () => {
  test.each<[string, InboundMessage | undefined, DataRequest, object]>([
    ['writes a short message', undefined, write('only', 10, 10), { offset: 100, next: undefined }],
    ['writes nothing', undefined, write('only', 0, 0), { offset: 0, next: undefined }],
    [
      'begins a WRITE',
      undefined,
      write('first', 256, 600),
      { offset: 100, next: { kind: 'write', offset: 356, rest: 344 } },
    ],
    [
      'continues it',
      writing(344),
      write('middle', 256),
      { offset: 356, next: { kind: 'write', offset: 612, rest: 88 } },
    ],
    ['ends it', writing(88), write('last', 88), { offset: 356, next: undefined }],
    [
      'begins a SEND behind the one before',
      undefined,
      send('first', 256),
      { offset: 40, next: sending },
    ],
    ['ends a SEND anywhere', sending, send('last', 3), { offset: 296, next: undefined }],
  ])('%s', (_what, current, request, admitted) => {
    expect(admit(current, request, RULES)).toEqual({ kind: 'admitted', ...admitted });
  });

  test.each<[string, InboundMessage | undefined, DataRequest]>([
    ['a middle packet without a first one', undefined, write('middle', 256)],
    ['a last packet without a first one', undefined, send('last', 5)],
    ['a first packet within a message', writing(344), write('first', 256, 600)],
    ['a packet of another operation within a message', writing(344), send('middle', 256)],
    ['a first packet that is not full', undefined, write('first', 255, 600)],
    ['a middle packet that is not full', writing(344), write('middle', 100)],
    ['a last packet without payload', writing(0), write('last', 0)],
    ['more than the MTU', undefined, write('only', 257, 257)],
    ['fewer bytes than were announced', writing(88), write('last', 87)],
    ['more bytes than were announced', writing(88), write('last', 89)],
    ['a middle packet where the last one should be', writing(256), write('middle', 256)],
    ['an only packet of another length than announced', undefined, write('only', 10, 11)],
  ])('is refused as invalid: %s', (_what, current, request) => {
    expect(admit(current, request, RULES)).toEqual(INVALID);
  });

  test('is refused where it may not write', () => {
    expect(admit(undefined, write('first', 256, 901), RULES)).toEqual(NO_ACCESS);
  });
});
