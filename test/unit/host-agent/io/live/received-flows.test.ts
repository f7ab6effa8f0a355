import { ReceivedFlows } from '../../../../../host-agent/io/live/received-flows';

describe('received flows', () => {
  test('are remembered by source and flow, the last hundred of them', () => {
    const flows = new ReceivedFlows(undefined);
    const event = { kind: 'flow-received', sourceAddress: 0x0a00_0001, receivedAt: 0 } as const;
    for (let flow = 0; flow < 101; flow++) flows.note({ ...event, flow, bytes: flow + 1 });
    expect(flows.latest).toHaveLength(100);
    expect(flows.latest[0]).toEqual({ source: '10.0.0.1', flow: 1, bytes: 2 });
  });
});
