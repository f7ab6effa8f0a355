import * as fc from 'fast-check';
import { HPCC_DATA } from '../../../../../common/wire/hpcc/hpcc-transport';
import { SlabFrames } from '../../../../../host-agent/transport/frames/frame-memory';
import { FrameTemplate } from '../../../../../host-agent/transport/frames/frame-template';
import type { CommonAddressing } from '../../../../../host-agent/transport/frames/prepared-headers';
import { SharedHeaders } from '../../../../../host-agent/transport/frames/prepared-headers';
import { toHex } from '../../../../support/hex';

const ADDRESSING: CommonAddressing = {
  sourceMac: 0x0200_0000_0001,
  destinationMac: 0x0200_0000_0002,
  sourceAddress: 0x0a000001,
  destinationAddress: 0x0a000002,
  intHopLimit: 8,
};
const FIELDS = { flags: 0, sequence: 1000, length: 1000, identification: 5 };

const CHANGES: readonly Partial<CommonAddressing>[] = [
  { destinationMac: 3 },
  { destinationAddress: 3 },
  { intHopLimit: 7 },
  { intHopLimit: undefined },
  { asksSwitches: true },
  { dscp: 46 },
  { coordinationTag: 0 },
];

describe('headers that flows share', () => {
  it('are prepared once for all flows of one addressing', () => {
    const shared = new SharedHeaders();
    expect(shared.find({ ...ADDRESSING })).toBe(shared.find({ ...ADDRESSING }));
  });

  it.each(CHANGES)('are others for %j', (change) => {
    const shared = new SharedHeaders();
    const bytes = shared.find(ADDRESSING).bytes;
    expect(toHex(shared.find({ ...ADDRESSING, ...change }).bytes)).not.toBe(toHex(bytes));
  });

  it('make the same frames as headers of the flow alone', () => {
    const [shared, slab] = [new SharedHeaders(), new SlabFrames()];
    const word = fc.integer({ min: 0, max: 0xffff });
    const change = fc.constantFrom({}, ...CHANGES);
    fc.assert(
      fc.property(word, word, word, change, (sourcePort, flowId, generation, changed) => {
        const addressing = { ...ADDRESSING, ...changed, sourcePort };
        const transport = { type: HPCC_DATA, flowId, generation } as const;
        const alone = new FrameTemplate(addressing, transport);
        const sharing = new FrameTemplate(addressing, transport, (all) => shared.find(all));
        expect(sharing.emit(FIELDS, slab)).toEqual(alone.emit(FIELDS, slab));
      }),
    );
  });

  it('are forgotten when there are too many destinations, and prepared anew', () => {
    const shared = new SharedHeaders();
    const first = shared.find(ADDRESSING);
    for (let i = 0; i < 1024; i++) shared.find({ ...ADDRESSING, destinationAddress: i });
    const again = shared.find(ADDRESSING);
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});
