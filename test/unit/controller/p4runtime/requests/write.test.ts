import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import { P4_ERROR_TYPE_URL, STATUS_DETAILS_KEY } from '../../../../../common/p4runtime/codes';
import { Any } from '../../../../../common/p4runtime/generated/google/protobuf/any';
import { Status } from '../../../../../common/p4runtime/generated/google/rpc/status';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';
import type { EntityUpdate } from '../../../../../controller/entities/named-entity';
import { writeUpdates } from '../../../../../controller/p4runtime/requests/write';
import type { WriteOptions } from '../../../../../controller/p4runtime/requests/write';
import { Connection } from '../../../../../controller/p4runtime/session/connection';
import { sampleP4Info } from '../../../../conformance/p4runtime-target';

const INDEX = new P4InfoIndex(sampleP4Info());
const BATCH = 2;

/** A write of one port, which tells when it is encoded. */
function update(port: number, onEncoded: (port: number) => void = () => undefined): EntityUpdate {
  return {
    type: 'insert',
    entity: {
      kind: 'table-entry',
      table: 'egress.port_record',
      get match() {
        onEncoded(port);
        return { 'standard_metadata.egress_port': { exact: port } };
      },
      priority: 0,
      action: {
        kind: 'action',
        action: { name: 'egress.set_record', arguments: { capacity: 1 } },
      },
    },
  };
}

/** A port number of more bits than a port has. */
const MISFIT = 2 ** 20;

describe('updates are written', () => {
  let server: Server;
  let connection: Connection;
  /** Requests that came, as their ports. */
  let requests: number[][];
  /** Answers a request. */
  let answer: (done: sendUnaryData<p4.WriteResponse>) => void;

  beforeEach(async () => {
    requests = [];
    answer = (done) => done(null, new p4.WriteResponse());
    server = new Server();
    server.addService(p4.UnimplementedP4RuntimeService.definition, {
      Write: (
        { request }: ServerUnaryCall<p4.WriteRequest, p4.WriteResponse>,
        done: sendUnaryData<p4.WriteResponse>,
      ) => {
        requests.push(request.updates.map(portOf));
        answer(done);
      },
    });
    const port = await new Promise<number>((resolve) => {
      const credentials = ServerCredentials.createInsecure();
      server.bindAsync('127.0.0.1:0', credentials, (_, bound) => resolve(bound));
    });
    const address = `127.0.0.1:${port}`;
    connection = await Connection.open({ name: 's1', address, deadline: 20_000 });
  });

  afterEach(() => {
    connection.close();
    server.forceShutdown();
  });

  const write = (updates: readonly EntityUpdate[], options: WriteOptions = {}) => {
    const sender = { deviceId: 1n, electionId: 1n, role: '' };
    return writeUpdates(
      connection,
      { sender, index: INDEX, batchSize: BATCH, ...options },
      updates,
    );
  };

  test('all are checked before the first is sent, unless they are checked as they are sent', async () => {
    const encoded: number[] = [];
    const seen: number[][] = [];
    answer = (done) => {
      // The next request is encoded while this one waits for its answer.
      setTimeout(() => {
        seen.push([...encoded]);
        done(null, new p4.WriteResponse());
      }, 50);
    };
    const five = (): EntityUpdate[] =>
      [1, 2, 3, 4, 5].map((port) => update(port, (n) => encoded.push(n)));
    await write(five());
    expect(seen).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    [encoded.length, seen.length, requests.length] = [0, 0, 0];
    await write(five(), { check: 'as-sent' });
    expect(seen).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    expect(requests).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('a request ends early where it would be longer than servers take', async () => {
    const updates = Array.from({ length: 40_000 }, (_, i) => update(i % 512));
    const { failures } = await write(updates, { batchSize: updates.length });
    expect(failures).toEqual([]);
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.flat()).toEqual(updates.map((_, i) => i % 512));
  });

  test('one of which a refused request says nothing is marked as such', async () => {
    answer = (done) => {
      const details = [new Any({ typeUrl: P4_ERROR_TYPE_URL, value: new Uint8Array(0) })];
      const metadata = new Metadata();
      const text = new Status({ code: status.UNKNOWN, details }).serialize();
      metadata.set(STATUS_DETAILS_KEY, Buffer.from(text));
      done({ code: status.UNKNOWN, details: 'some are refused', metadata });
    };
    const { failures } = await write([update(1), update(2)]);
    expect(failures).toMatchObject([{ codeName: 'UNKNOWN', isUntold: true }]);
  });

  test('one that does not fit is an error and nothing is sent', async () => {
    const updates = [update(1), update(2), update(MISFIT)];
    await expect(write(updates)).rejects.toThrow("table 'egress.port_record'");
    expect(requests).toEqual([]);
  });

  test('one that does not fit is refused like any other where it is checked as it is sent', async () => {
    const updates = [1, MISFIT, 3, 4, MISFIT, MISFIT, 7].map((port) => update(port));
    answer = (done) => done(null, new p4.WriteResponse());
    const { outcomes, failures } = await write(updates, { check: 'as-sent' });
    expect(requests).toEqual([[1], [3, 4], [7]]);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      'done',
      'failed',
      'done',
      'done',
      'failed',
      'failed',
      'done',
    ]);
    expect(outcomes.map((each) => each.update)).toEqual(updates);
    expect(failures).toHaveLength(3);
    for (const { codeName, reason } of failures) {
      expect(codeName).toBe('INVALID_ARGUMENT');
      expect(reason).toContain("table 'egress.port_record'");
    }
  });

  test('of a batch that is carried out whole or not at all, a misfit leaves nothing', async () => {
    const updates = [1, 2, 3, MISFIT, 5].map((port) => update(port));
    const options = { check: 'as-sent', atomicity: 'rollback-on-error' } as const;
    const { outcomes } = await write(updates, options);
    expect(requests).toEqual([[1, 2], [5]]);
    expect(outcomes.map((each) => (each.kind === 'failed' ? each.codeName : each.kind))).toEqual([
      'done',
      'done',
      'ABORTED',
      'INVALID_ARGUMENT',
      'done',
    ]);
  });

  test.each(['all-first', 'as-sent'] as const)(
    'a request that fails ends the write, %s, also of those beside it',
    async (check) => {
      const waiting: sendUnaryData<p4.WriteResponse>[] = [];
      answer = (done) => {
        if (waiting.push(done) < 2) return;
        waiting[1]?.({ code: status.PERMISSION_DENIED, details: 'not primary' });
        setTimeout(() => waiting[0]?.(null, new p4.WriteResponse()), 50);
      };
      const updates = Array.from({ length: 40 }, (_, i) => update(i));
      const end = write(updates, { check, requestsMax: 2 });
      await expect(end).rejects.toThrow('write of updates 2 to 3: PERMISSION_DENIED: not primary');
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(requests).toEqual([
        [0, 1],
        [2, 3],
      ]);
    },
  );
});

function portOf({ entity }: p4.Update): number {
  const [field] = entity.tableEntry.match;
  return Buffer.from(field?.exact.value ?? []).readUIntBE(0, field?.exact.value.length ?? 0);
}
