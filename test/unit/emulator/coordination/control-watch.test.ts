import { ControlWatch } from '../../../../emulator/coordination/control-watch';

const FLOW = 3;
const NODE = 7;
const HOLD = 1000;
const MARK = 200;
const FRAME = 10;

function watched(isOver = false) {
  const faults: string[] = [];
  const times = { holdTime: HOLD, markTime: MARK, frameTime: FRAME };
  const watch = new ControlWatch(
    times,
    (text) => faults.push(text),
    () => isOver,
  );
  const word =
    (type: 'control-required' | 'control-released') =>
    (now: number, low: number, senderNode = NODE): void =>
      watch.notified(now, FLOW, { type, senderNode, sequence: { high: 1, low } });
  return {
    faults,
    watch,
    request: word('control-required'),
    release: word('control-released'),
  };
}

describe('the watch over control', () => {
  it('is content with a flow that is under control from type 1 to type 2', () => {
    const { faults, watch, request, release } = watched();
    watch.sent(0, FLOW, false);
    request(10, 1);
    watch.tagged(10, FLOW);
    watch.sent(11, FLOW, true);
    release(500, 2);
    watch.freed(500, FLOW, 'released');
    watch.sent(501, FLOW, false);
    expect(faults).toEqual([]);
    expect(watch.spans).toMatchObject([{ flow: FLOW, cause: 'type 1', end: 'released' }]);
  });

  it('is content with a flow that is freed in time, up to a frame late', () => {
    const { faults, watch, request } = watched();
    request(0, 1);
    watch.tagged(0, FLOW);
    watch.marked(950, FLOW);
    watch.sent(MARK + 950 + FRAME, FLOW, true);
    watch.freed(MARK + 950 + FRAME, FLOW, 'expired');
    expect(faults).toEqual([]);
    expect(watch.spans).toMatchObject([
      { fromUs: 0, toUs: 1160e-6, end: 'expired', lastRequestUs: 0, lastMarkUs: 950e-6 },
    ]);
  });

  it('does not let what a switch took back keep a flow under control', () => {
    const { faults, watch, request, release } = watched();
    request(0, 1);
    watch.tagged(0, FLOW);
    watch.marked(100, FLOW);
    release(150, 2);
    watch.freed(300, FLOW, 'expired');
    expect(faults).toEqual([]);
    expect(watch.spans).toMatchObject([{ lastRequestUs: null, lastMarkUs: 100e-6 }]);
  });

  it('lets every switch speak for itself', () => {
    const { faults, watch, request, release } = watched();
    request(0, 1);
    watch.tagged(0, FLOW);
    request(50, 1, NODE + 1);
    release(60, 2);
    watch.freed(61, FLOW, 'released');
    expect(faults).toEqual([`61 ps: flow 3 released before its time, ${50 + HOLD} ps`]);
  });

  it.each<[string, (rig: ReturnType<typeof watched>) => void]>([
    ['100 ps: flow 3 tagged without a cause', ({ watch }) => watch.tagged(100, FLOW)],
    [
      '300 ps: flow 3 tagged without a cause',
      ({ watch, request, release }) => {
        release(100, 9);
        request(300, 8);
        watch.tagged(300, FLOW);
      },
    ],
    [
      '1011 ps: flow 3 sends with CC set, which was due until 1000 ps',
      ({ watch, request }) => {
        request(0, 1);
        watch.tagged(0, FLOW);
        watch.sent(1011, FLOW, true);
      },
    ],
    [
      '20 ps: flow 3 sends with CC clear, and is under control until 1000 ps',
      ({ watch, request }) => {
        request(0, 1);
        watch.sent(20, FLOW, false);
      },
    ],
    [
      '1011 ps: flow 3 expired after its time, 1000 ps',
      ({ watch, request }) => {
        request(0, 1);
        watch.tagged(0, FLOW);
        watch.freed(1011, FLOW, 'expired');
      },
    ],
  ])('reports: %s', (text, act) => {
    const rig = watched();
    act(rig);
    expect(rig.faults).toEqual([text]);
  });

  it('reports a flow that is found under control too late, unless it is over', () => {
    for (const isOver of [false, true]) {
      const { faults, watch, request, release } = watched(isOver);
      request(0, 1);
      watch.tagged(0, FLOW);
      release(1011, 2);
      expect(faults).toEqual(isOver ? [] : ['1011 ps: flow 3 is under control, until 1000 ps']);
    }
  });

  it('counts what comes after it was taken back', () => {
    const { watch, request, release } = watched();
    release(0, 5);
    for (const low of [3, 4, 5]) request(low, low);
    request(10, 6);
    expect(watch.outdatedRequests).toBe(3);
  });
});
