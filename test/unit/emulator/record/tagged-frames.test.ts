import { withTag } from '../../../../common/wire/coordination/tagged-frame';
import { flowFrame } from '../../../../emulator/record/flow-frame';
import { HostFrames } from '../../../../emulator/record/host-frames';
import { TrafficCounter } from '../../../../emulator/record/traffic';
import { INT_CARRIER } from '../../../../host-agent/carrier/int-carrier';
import { dataFrame } from '../../../support/frames';

const TAG = { congestionControl: true, reroutingPoint: undefined };

test('a tag of coordination before a frame changes nothing of whose it is', () => {
  const frame = dataFrame(0);
  const tagged = withTag(frame, TAG);
  expect(flowFrame(frame)).toBeDefined();
  expect(flowFrame(tagged)).toEqual(flowFrame(frame));
  const counter = new TrafficCounter(new HostFrames(INT_CARRIER));
  counter.frameSent(tagged);
  expect(counter.traffic.data).toEqual({ packets: 1, bytes: tagged.length });
  const frames = new HostFrames(INT_CARRIER);
  expect(frames.dataFlowOf(frame)).toBeDefined();
  expect(frames.dataFlowOf(tagged)).toBe(frames.dataFlowOf(frame));
});
