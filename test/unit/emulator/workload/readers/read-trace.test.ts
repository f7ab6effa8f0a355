import { BinaryWriter } from 'google-protobuf';
import { expandTrace } from '../../../../../emulator/workload/tasks/expand-trace';
import { ParallelGroups } from '../../../../../emulator/workload/readers/parallel-groups';
import { readTrace } from '../../../../../emulator/workload/readers/read-trace';
import type { TraceFile } from '../../../../../emulator/workload/readers/reader';

const file = (text: string, name = 'trace'): TraceFile => ({
  name,
  bytes: new TextEncoder().encode(text),
});
const read = (text: string, bytes?: number) => readTrace([file(text)], { bytes });

const GOAL_TEXT = `// two ranks
num_ranks 2

rank 0 {
l1: calc 1500
l2: send 1024b to 1 tag 7 cpu 1 nic 0
l2 requires l1
l3: recv 8b from 1 /* no tag */
}
rank 1 {
l1: recv 1024b from 0 tag 7
l2: send 8b to 0
l2 irequires l1
}
`;

describe('GOAL', () => {
  test('has computations in ns, messages, and both kinds of requirements', () => {
    const { format, trace } = read(GOAL_TEXT);
    expect(format).toBe('GOAL');
    expect(trace).toMatchObject({
      ranks: 2,
      tasks: [
        { do: 'compute', rank: 0, us: 1.5, name: 'l1' },
        { do: 'send', rank: 0, to: 1, bytes: 1024, tag: 7, after: [0] },
        { do: 'receive', rank: 0, from: 1, tag: 0 },
        { do: 'receive', rank: 1, from: 0, tag: 7 },
        { do: 'send', rank: 1, to: 0, bytes: 8, afterStart: [3] },
      ],
    });
    expect(expandTrace(trace, ['a', 'b']).connections).toHaveLength(2);
  });

  test.each([
    [
      'a wrong word',
      'calc 1500',
      'calk 1500',
      "trace:5: wanted calc, send, recv or requires, found 'l1: calk 1500'",
    ],
    [
      'a label that is not there',
      'l2 requires l1',
      'l2 requires l9',
      'trace:7: there is no label l9',
    ],
    ['a label that appears twice', 'l3: recv', 'l2: recv', 'trace:8: label l2 appears twice'],
    ['a rank beyond the last one', 'to 1', 'to 5', 'trace:6: rank 5 is none of 2 ranks'],
    ['any source', 'from 1', 'from -1', 'trace:8: messages from any rank'],
    [
      'a rank that does not end',
      'l2 irequires l1\n}',
      'l2 irequires l1',
      'trace: rank 1 has no end',
    ],
    ['a rank that appears twice', 'rank 1 {', 'rank 0 {', 'trace:10: rank 0 appears twice'],
  ])('names %s', (_what, from, to, message) => {
    expect(() => read(GOAL_TEXT.replace(from, to))).toThrow(message);
  });

  test('names the nodes of a circle', () => {
    const { trace } = read(GOAL_TEXT.replace('l2 requires l1', 'l2 requires l1\nl1 requires l2'));
    expect(() => expandTrace(trace, ['a', 'b'])).toThrow(
      'in a circle: l1 of rank 0 -> l2 of rank 0 -> l1 of rank 0',
    );
  });

  test('takes no length from outside', () => {
    expect(() => read(GOAL_TEXT, 100)).toThrow('trace: the file says how long its messages are');
  });
});

const SIMAI_TEXT = [
  'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4 checkpoints: 0 checkpoint_initiates: 0',
  '2',
  'embedding -1 5000 ALLREDUCE 16777216 1000 NONE 0 2000 NONE 0 100',
  'mlp\t-1\t7000\tALLGATHER\t8\t3000\tREDUCESCATTER\t4096\t4000\tALLREDUCE\t1000\t100',
  '',
].join('\n');

describe('a SimAI workload', () => {
  test('is a forward pass, and then gradients from the last layer back', () => {
    const { format, trace } = read(SIMAI_TEXT);
    expect(format).toBe('SimAI workload');
    const own = trace.tasks.filter(({ rank }) => rank === 1);
    expect(
      own.map((task) => [task.do, 'us' in task ? task.us : 'operation' in task && task.operation]),
    ).toEqual([
      ['compute', 5],
      ['collective', 'all-reduce'],
      ['compute', 7],
      ['collective', 'all-gather'],
      ['compute', 3],
      ['collective', 'reduce-scatter'],
      ['compute', 4],
      ['collective', 'all-reduce'],
      ['compute', 1],
      ['compute', 2],
    ]);
    // Short messages of the forward pass are sent as 4,096 bytes, and weights are summed up in the background.
    expect(own[3]).toMatchObject({ bytes: 4096, group: 'TP of rank 0' });
    expect(own[7]).toMatchObject({ bytes: 1000, group: 'DP of rank 1' });
    const first = trace.tasks.indexOf(own[0] as never);
    expect(own[8]?.after).toEqual([first + 6]);
    expect(trace.groups).toEqual({
      'TP of rank 0': [0, 1],
      'TP of rank 2': [2, 3],
      'DP of rank 0': [0, 2],
      'DP of rank 1': [1, 3],
    });
    expect(expandTrace(trace, ['a', 'b', 'c', 'd']).collectives).toHaveLength(8);
  });

  test.each([
    ['fewer layers than announced', '\n2\n', '\n3\n', 'trace: 3 layers are announced, 2 follow'],
    [
      'a missing column',
      ' 2000 NONE 0 100',
      ' 2000',
      'trace:3: wanted 12 columns of a layer, found 9',
    ],
    [
      'an unknown collective',
      'ALLREDUCE 16',
      'ALLREDUCT 16',
      'trace:3: there is no collective ALLREDUCT',
    ],
    [
      'ranks that do not divide',
      'all_gpus: 4',
      'all_gpus: 5',
      'trace: 5 ranks are no multiple of 2 x 1',
    ],
    ['checkpoints', 'checkpoints: 0', 'checkpoints: 1', 'trace:1: checkpoints, which compute'],
    [
      'another policy',
      'HYBRID_TRANSFORMER_FWD_IN_BCKWD',
      'DATA',
      'trace:1: wanted HYBRID_TRANSFORMER_FWD_IN_BCKWD',
    ],
  ])('names %s', (_what, from, to, message) => {
    expect(() => read(SIMAI_TEXT.replace(from, to))).toThrow(message);
  });

  test('has groups of neighbours, replicas and experts in each stage', () => {
    const groups = new ParallelGroups({ tensor: 2, expert: 2, pipeline: 2, all: 16 }, 'trace');
    const membersOf = (kind: string, rank: number) =>
      groups.groups[groups.nameFor(kind, rank) ?? ''];
    expect(membersOf('TP', 9)).toEqual([8, 9]);
    expect(membersOf('DP', 9)).toEqual([9, 11, 13, 15]);
    expect(membersOf('EP', 5)).toEqual([5, 7]);
    expect(membersOf('DP_EP', 3)).toEqual([3, 7]);
  });

  test('says which lines are left out', () => {
    expect(read(SIMAI_TEXT.replace('\n2\n', '\n1\n')).warnings).toEqual([
      'trace: 1 lines behind the 1 announced layers are left out',
    ]);
  });
});

const MATRIX = [
  '# three flows',
  'Nodes 4',
  'Connections 3',
  'Triggers 1',
  '0->1 id 1 start 2000000 size 5000 send_done_trigger 1',
  '2->3 id 2 trigger 1 size 100',
  '0->1 start 0 size 7',
  'trigger id 1 oneshot',
].join('\n');

describe('a connection matrix of htsim', () => {
  test('has flows that start at times, or when others are done', () => {
    const { format, trace } = read(MATRIX);
    expect(format).toBe('htsim connection matrix');
    expect(trace).toMatchObject({
      ranks: 4,
      tasks: [
        { do: 'wait', us: 2 },
        { do: 'send', rank: 0, to: 1, bytes: 5000, after: [0] },
        { do: 'send', rank: 2, to: 3, bytes: 100, after: [1] },
        { do: 'send', rank: 0, to: 1, bytes: 7, after: [] },
      ],
    });
    // Two connections between the same nodes are two flows.
    expect(expandTrace(trace, ['a', 'b', 'c', 'd']).connections).toHaveLength(3);
  });

  test.each([
    [
      'a wrong count',
      'Connections 3',
      'Connections 4',
      'trace: 4 connections are announced, 3 follow',
    ],
    ['an unknown word', 'size 100', 'sise 100', 'trace:6: wanted id, start, size'],
    ['no start', 'start 0 ', '', 'trace:7: wanted either start or trigger'],
    [
      'a trigger that nobody fires',
      ' send_done_trigger 1',
      '',
      'trace:6: no connection fires trigger 1',
    ],
    ['a node beyond the last one', 'Nodes 4', 'Nodes 3', 'trace: node 3 is none of the 3 nodes'],
    ['failures', 'Triggers 1', 'Failures 1', 'trace:4: failures in a connection matrix'],
    [
      'a barrier that too few reach',
      'oneshot',
      'barrier count 2',
      '1 connections fire trigger 1, which is barrier of 2',
    ],
  ])('names %s', (_what, from, to, message) => {
    expect(() => read(MATRIX.replace(from, to))).toThrow(message);
  });
});

const PROGRAM = `<algo name="x" nchunksperloop="2" ngpus="2" coll="allreduce">
  <!-- one way -->
  <gpu id="0"><tb id="0" send="1" recv="-1" chan="0">
    <step s="0" type="s" srcoff="0" cnt="1" depid="-1" deps="-1"/>
  </tb><tb id="1" send="-1" recv="1" chan="1">
    <step s="0" type="rrc" srcoff="0" cnt="1" depid="0" deps="0"/>
  </tb></gpu>
  <gpu id="1"><tb id="0" send="0" recv="0" chan="0">
    <step s="0" type="r" srcoff="0" cnt="1" depid="-1" deps="-1"/>
  </tb><tb id="1" send="0" recv="-1" chan="1">
    <step s="0" type="s" srcoff="1" cnt="1" depid="0" deps="0"/>
  </tb></gpu>
</algo>`;

describe('an MSCCL program', () => {
  test('has steps that wait for the one before, and for those of other thread blocks', () => {
    const { format, trace } = read(PROGRAM, 1001);
    expect(format).toBe('MSCCL XML');
    expect(trace.tasks).toMatchObject([
      { do: 'send', rank: 0, to: 1, bytes: 500 },
      { do: 'receive', rank: 0, from: 1, after: [0] },
      { do: 'receive', rank: 1, from: 0 },
      { do: 'send', rank: 1, to: 0, bytes: 501, after: [2] },
    ]);
    expect(expandTrace(trace, ['a', 'b']).plan.count).toBe(4);
  });

  test.each([
    ['a step of no kind', 'type="r"', 'type="q"', "trace:9: there is no step of type 'q'"],
    [
      'a dependency on nothing',
      'depid="0" deps="0"',
      'depid="0" deps="5"',
      'trace:6: there is no step 5 of block 0',
    ],
    ['a block without peer', 'send="1"', 'send="-1"', 'trace:4: the thread block has no peer'],
  ])('names %s', (_what, from, to, message) => {
    expect(() => read(PROGRAM.replace(from, to))).toThrow(message);
  });
});

type Attribute = readonly [name: string, field: 9 | 13 | 27 | 29, value: number | boolean | string];

/** A trace of Chakra as its schema writes it: messages behind their lengths. */
function chakra(
  nodes: readonly {
    id: number;
    type: number;
    data?: number[];
    control?: number[];
    us?: number;
    attributes?: Attribute[];
  }[],
  name: string,
): TraceFile {
  const messages = [message((out) => out.writeString(1, '0.0.4'))];
  for (const { id, type, data = [], control = [], us = 0, attributes = [] } of nodes) {
    messages.push(
      message((out) => {
        out.writeUint64(1, id);
        out.writeString(2, `node ${id}`);
        out.writeEnum(3, type);
        out.writePackedUint64(4, control);
        out.writePackedUint64(5, data);
        out.writeUint64(7, us);
        for (const [key, field, value] of attributes) {
          out.writeBytes(
            10,
            message((attribute) => {
              attribute.writeString(1, key);
              if (field === 9) attribute.writeInt64(9, value as number);
              if (field === 13) attribute.writeUint64(13, value as number);
              if (field === 27) attribute.writeBool(27, value as boolean);
              if (field === 29) attribute.writeString(29, value as string);
            }),
          );
        }
      }),
    );
  }
  const bytes = messages.flatMap((each) => [...lengthOf(each.length), ...each]);
  return { name, bytes: Uint8Array.from(bytes) };
}

function message(write: (out: BinaryWriter) => void): Uint8Array {
  const out = new BinaryWriter();
  write(out);
  return out.getResultBuffer();
}

const lengthOf = (length: number): number[] =>
  length < 128 ? [length] : [(length & 127) | 128, ...lengthOf(Math.floor(length / 128))];

describe('Chakra', () => {
  const rank = (own: number, other: number): TraceFile =>
    chakra(
      [
        { id: 10, type: 4, us: 25, attributes: [['is_cpu_op', 27, true]] },
        {
          id: 11,
          type: own === 0 ? 5 : 6,
          data: [10],
          control: [99],
          attributes: [
            ['comm_src', 9, 0],
            ['comm_dst', 9, 1],
            ['comm_size', 13, 4096],
            ['comm_tag', 9, 3],
          ],
        },
        {
          id: 12,
          type: 7,
          data: [11],
          attributes: [
            ['comm_type', 9, 2],
            ['comm_size', 9, 1000],
            ['pg_name', 29, other < 0 ? 'tp' : ''],
          ],
        },
      ],
      `trace.${own}.et`,
    );

  test('has a file for each rank, whose order is that of the numbers', () => {
    const { format, trace } = readTrace([rank(1, 0), rank(0, 1)], {});
    expect(format).toBe('Chakra');
    expect(trace).toMatchObject({
      ranks: 2,
      tasks: [
        { do: 'compute', rank: 0, us: 25, stream: 'cpu' },
        { do: 'send', rank: 0, to: 1, bytes: 4096, tag: 3, after: [0] },
        // Each of two ranks gives 1,000 bytes, and has 2,000 in the end.
        { do: 'collective', rank: 0, operation: 'all-gather', bytes: 2000, after: [1] },
        { do: 'compute', rank: 1 },
        { do: 'receive', rank: 1, from: 0, tag: 3, after: [3] },
        { do: 'collective', rank: 1 },
      ],
    });
  });

  test('has no group that nothing defines, whatever its name', () => {
    const one = chakra(
      [
        {
          id: 1,
          type: 7,
          attributes: [
            ['comm_size', 9, 8],
            ['pg_name', 29, 'constructor'],
          ],
        },
      ],
      'trace.0.et',
    );
    expect(() => readTrace([one], {})).toThrow('nothing says who is in group constructor');
  });

  test('takes groups from a JSON file beside it', () => {
    const groups = file('{"tp": [1, 0]}', 'groups.json');
    const { trace } = readTrace([groups, rank(0, -1), rank(1, -1)], {});
    expect(trace.groups).toEqual({ tp: [1, 0] });
    expect(() => readTrace([rank(0, -1), rank(1, -1)], {})).toThrow(
      'trace.0.et: node 12 (node 12): nothing says who is in group tp',
    );
  });

  test.each([
    [
      'a rank that is missing',
      [chakra([{ id: 1, type: 4 }], 't.0.et'), chakra([{ id: 1, type: 4 }], 't.2.et')],
      'there are 2 traces, but none of rank 1',
    ],
    [
      'two of one rank',
      [chakra([{ id: 1, type: 4 }], 'a.0.et'), chakra([{ id: 1, type: 4 }], 'b.0.et')],
      'a.0.et and b.0.et are both of rank 0',
    ],
    [
      'a dependency on nothing',
      [chakra([{ id: 1, type: 4, data: [7] }], 't.0.et')],
      't.0.et: node 1 (node 1) depends on node 7',
    ],
    [
      'a node that appears twice',
      [
        chakra(
          [
            { id: 1, type: 4 },
            { id: 1, type: 4 },
          ],
          't.0.et',
        ),
      ],
      't.0.et: node 1 appears twice',
    ],
    [
      'a send without receiver',
      [chakra([{ id: 1, type: 5 }], 't.0.et')],
      'wanted a whole number as comm_dst, found nothing',
    ],
  ])('names %s', (_what, files, message) => {
    expect(() => readTrace(files, {})).toThrow(message);
  });

  test('names the byte at which a file is cut', () => {
    const { name, bytes } = chakra(
      [
        { id: 1, type: 4 },
        { id: 2, type: 4 },
      ],
      't.0.et',
    );
    const cut = { name, bytes: bytes.subarray(0, bytes.length - 2) };
    expect(() => readTrace([cut], {})).toThrow(
      /t\.0\.et: byte \d+: no message of Chakra: it ends 2 bytes behind/,
    );
  });

  test.each([
    [
      'objects behind each other',
      '{"version": "0.0.4"}\n{"id": "3", "name": "a}b", "type": "COMP_NODE", "durationMicros": "7"}\n{"id": "4", "type": "COMM_COLL_NODE", "dataDeps": ["3"], "attr": [{"name": "comm_type", "int64Val": "0"}, {"name": "comm_size", "int64Val": "64"}]}',
    ],
    [
      'a graph with flat keys',
      '{"workload_graph": [{"Id": 3, "NodeType": 4, "runtime": 7, "data_deps": []}, {"Id": 4, "NodeType": 7, "data_deps": [3], "comm_type": 0, "comm_size": 64}]}',
    ],
  ])('is JSON, too: %s', (_what, text) => {
    const { format, trace } = readTrace([file(text, 'x.0.json'), file(text, 'x.1.json')], {});
    expect(format).toBe('Chakra in JSON');
    expect(trace.tasks.slice(2)).toMatchObject([
      { do: 'compute', rank: 1, us: 7 },
      { do: 'collective', rank: 1, operation: 'all-reduce', bytes: 64, after: [2] },
    ]);
  });

  test('says what has no duration, and names the line of JSON that is none', () => {
    const text =
      '{"workload_graph": [{"Id": 3, "NodeType": 4, "num_ops": 5}, {"Id": 4, "NodeType": 7, "runtime": 2}]}';
    expect(read(text).warnings).toEqual([
      '1 computations have operations but no duration, and take no time here',
      '1 collectives have no length, and only take their duration',
    ]);
    expect(() => read('{"version": "0.0.4"}\n{"id": "3", "name" "x"}')).toThrow('trace:2:');
  });
});

test.each([
  ['nothing that is known', 'hello', 'trace: none of the formats that are read: GOAL'],
  ['an empty file', '', 'trace: the file is empty'],
])('files are refused that are %s', (_what, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('many files are refused by the names of the first ones, an empty one by its own', () => {
  const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => file(name, 'hello'));
  expect(() => readTrace(files, {})).toThrow('a, b, c and 2 more: none of the formats');
  expect(() => readTrace([...files, file('f', '')], {})).toThrow(/^f: the file is empty$/);
});
