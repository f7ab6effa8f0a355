import { ELECTION_ID_MAX } from '../../../../../common/p4runtime/election-id';
import { P4RuntimeClient } from '../../../../../controller/p4runtime/client';
import { successorId } from '../../../../../controller/p4runtime/session/session';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';

describe('row 5: the successor of a controller with the greatest election id', () => {
  test('bids the same id', () => {
    expect(successorId({ highest: 7n }, 2n)).toBe(9n);
    expect(successorId({ highest: ELECTION_ID_MAX }, 2n)).toBe(ELECTION_ID_MAX);
  });

  test('becomes primary once the other has gone', async () => {
    const devices = new Map([[1, new StateSwitch()]]);
    const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    const address = `127.0.0.1:${server.port}`;
    const first = new RawController(address, 1n);
    expect(await first.bidAndWait(ELECTION_ID_MAX)).toBe('OK');
    first.close();
    await first.ended();
    const options = { name: 's1', address, deviceId: 1n, electionId: 1n, deadline: 20_000 };
    const client = await P4RuntimeClient.connect(options);
    await client.becomePrimary();
    client.close();
    await server.stop();
  });
});
