import { once } from 'node:events';
import * as net from 'node:net';
import { openServer } from '../../../../../../emulator/study/io/database/database';

/** First words of PostgreSQL: authenticated, and ready for a query. */
const READY = Buffer.from('5200000008000000005a0000000549', 'hex');

/** A server that answers so many statements, and then none, while its connections stay. */
async function serverThatHangs(answers: number) {
  const sockets: net.Socket[] = [];
  let left = answers;
  let asked = 0;
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(READY);
      socket.on('data', () => {
        asked++;
        // CommandComplete and ReadyForQuery.
        if (left-- > 0) socket.write(Buffer.from('430000000b53454c454354005a0000000549', 'hex'));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `postgres://user@127.0.0.1:${port}/studies`,
    asked: () => asked,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('attack 9: a database that stops answering', () => {
  test('is given up with one sentence, in statements and in transactions', async () => {
    const server = await serverThatHangs(1);
    const database = await openServer(server.url, { answerMs: 50, awayMs: 200 });
    const said =
      /^the database at 127\.0\.0\.1:\d+\/studies was away for 0\.2 s: Query read timeout$/;
    await expect(database.executeSql('SELECT 2')).rejects.toThrow(said);
    await expect(database.transaction(() => Promise.resolve())).rejects.toThrow(said);
    expect(server.asked()).toBeGreaterThan(3);
    await database.close();
    server.stop();
  });

  test('is not waited for after an interrupt', async () => {
    const server = await serverThatHangs(1);
    const database = await openServer(server.url, { answerMs: 60_000, awayMs: 60_000 });
    const interruption = new AbortController();
    database.endWith(interruption.signal);
    const answer = database.executeSql('SELECT 2');
    interruption.abort();
    await expect(answer).rejects.toThrow(/^the database at .* does not answer$/);
    await database.close();
    server.stop();
  });

  test('is told of when it never answers', async () => {
    const server = await serverThatHangs(0);
    await expect(openServer(server.url, { answerMs: 50, awayMs: 200 })).rejects.toThrow(
      /^cannot use the database at 127\.0\.0\.1:\d+\/studies: Query read timeout$/,
    );
    server.stop();
  });
});
