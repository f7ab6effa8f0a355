import { expandTrace } from '../../../../../emulator/workload/tasks/expand-trace';
import { readTrace } from '../../../../../emulator/workload/readers/read-trace';
import type { TraceFile } from '../../../../../emulator/workload/readers/reader';

const file = (text: string, name = 'trace'): TraceFile => ({
  name,
  bytes: new TextEncoder().encode(text),
});

describe('an MPI trace of liballprof', () => {
  const DOUBLE = '11,8,8';
  const RANKS = [
    `# collprof 0.9 output file
MPI_Init:-:1:2:100.0
MPI_Comm_size:101.0:0,0,2:5:102.0
MPI_Send:110.5:900:4:${DOUBLE}:1:7:0,0,2:111.0
MPI_Irecv:111.0:900:2:${DOUBLE}:1:9:0,0,2:4000:112.0
MPI_Isend:112.0:900:3:${DOUBLE}:1:5:0,0,2:4008:113.0
MPI_Waitall:120.0:2:4000:0:121.0
MPI_Allreduce:121.0:1:2:10:${DOUBLE}:2:0,0,2:130.0
MPI_Finalize:131.0:-
`,
    `MPI_Init:-:1:2:100.0
MPI_Recv:100.0:900:4:${DOUBLE}:0:7:0,1,2:77:111.0
MPI_Send:112.0:900:2:${DOUBLE}:0:9:0,1,2:112.0
MPI_Recv:112.0:900:3:${DOUBLE}:0:5:0,1,2:77:113.0
MPI_Allreduce:113.0:1:2:10:${DOUBLE}:2:0,1,2:130.0
MPI_Allgather:130.0:1:3:${DOUBLE}:1:3:${DOUBLE}:0,1,2:131.0
`,
  ];
  const mpi = (change: (text: string) => string = (text) => text) =>
    readTrace(
      RANKS.map((text, i) => file(change(text), `pmpi-trace-rank-${i}.txt`)),
      {},
    );

  test('computes between calls, and waits where they do', () => {
    const { format, trace } = mpi();
    expect(format).toBe('MPI trace (liballprof)');
    expect(trace.tasks).toEqual([
      { do: 'compute', rank: 0, name: 'before line 4', us: 10.5, after: [] },
      { do: 'send', rank: 0, name: 'line 4', to: 1, bytes: 32, tag: 7, after: [0] },
      { do: 'receive', rank: 0, name: 'line 5', from: 1, tag: 9, after: [1] },
      { do: 'send', rank: 0, name: 'line 6', to: 1, bytes: 24, tag: 5, after: [1] },
      { do: 'compute', rank: 0, name: 'before line 7', us: 7, after: [1] },
      expect.objectContaining({ do: 'collective', operation: 'all-reduce', bytes: 80, root: 0 }),
      { do: 'receive', rank: 1, name: 'line 2', from: 0, tag: 7, after: [] },
      { do: 'compute', rank: 1, name: 'before line 3', us: 1, after: [6] },
      { do: 'send', rank: 1, name: 'line 3', to: 0, bytes: 16, tag: 9, after: [7] },
      { do: 'receive', rank: 1, name: 'line 4', from: 0, tag: 5, after: [8] },
      expect.objectContaining({ do: 'collective', operation: 'all-reduce', after: [9] }),
      expect.objectContaining({ do: 'collective', operation: 'all-gather', bytes: 48 }),
    ]);
    expect(trace.tasks[5]?.after).toEqual([4, 2, 3]);
  });

  test('says where a communicator numbers ranks otherwise', () => {
    expect(mpi().warnings).toEqual([]);
    const { warnings } = mpi((text) => text.replace('2:0,1,2:130', '2:0,0,2:130'));
    expect(warnings).toEqual([
      expect.stringContaining('1 collectives have other numbers of ranks'),
    ]);
  });

  test('is joined by its collectives', () => {
    const changed = mpi((text) => text.replace(/^MPI_Allgather.*\n/m, ''));
    expect(expandTrace(changed.trace, ['a', 'b']).connections.length).toBeGreaterThan(0);
  });

  test.each([
    ['MPI_Send', 'MPI_Scan', /rank-0\.txt:4: MPI_Scan of rank 0 is not offered/],
    ['1:7:0,0,2', '1:7:3,0,1', /wanted a communicator of all 2 ranks, found 3,0,1/],
    ['1:7:0,0,2', '1:7:3,1,2', /the communicator does not number rank 0 so/],
    ['1:7:0,0,2', '-1:7:0,0,2', /messages of any rank or none, or any tag, are not offered/],
    ['1:7:0,0,2', '4:7:0,0,2', /rank 4 is none of 2 ranks/],
    ['900:4:11,8,8', '900:4:double', /wanted a datatype as field 5, found double/],
    ['110.5', 'soon', /wanted MPI_CALL:start:arguments:end/],
  ])('with %s as %s is refused', (from, to, message) => {
    expect(() => mpi((text) => text.replace(from, to))).toThrow(message);
  });
});
