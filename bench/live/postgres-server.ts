import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { freePort } from '../../common/io/net/free-port';

const VERSIONS = '/usr/lib/postgresql';

/** Debian's folder of the newest PostgreSQL server; undefined without one, or without its user. */
export function postgresFolder(): string | undefined {
  if (process.getuid?.() !== 0 || !fs.existsSync(VERSIONS)) return undefined;
  if (postgresUser() === undefined) return undefined;
  const versions = fs.readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => path.join(VERSIONS, version, 'bin'))
    .find((folder) => fs.existsSync(path.join(folder, 'pg_ctl')));
}

/** A PostgreSQL server with its files in a folder of its own, for measurements and tests. */
export class PostgresServer {
  private constructor(
    readonly url: string,
    private readonly command: (action: string) => void,
  ) {}

  static async start(folder: string): Promise<PostgresServer> {
    const bin = postgresFolder() ?? '';
    const port = await freePort();
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(path.dirname(folder), 0o755);
    const user = postgresUser();
    if (user === undefined) throw new Error('/etc/passwd has no user postgres');
    fs.chownSync(folder, user.uid, user.gid);
    const data = path.join(folder, 'data');
    asPostgres([path.join(bin, 'initdb'), '-D', data, '-A', 'trust', '-U', 'study']);
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
    const log = path.join(folder, 'log');
    const command = (action: string): void =>
      asPostgres([
        path.join(bin, 'pg_ctl'),
        '-D',
        data,
        '-o',
        options,
        '-l',
        log,
        '-m',
        'fast',
        '-w',
        action,
      ]);
    command('start');
    return new PostgresServer(`postgres://study@127.0.0.1:${port}/postgres`, command);
  }

  start(): void {
    this.command('start');
  }

  stop(): void {
    this.command('stop');
  }
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Whom Debian's package has made for it. */
function postgresUser(): User | undefined {
  const found = /^postgres:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8'));
  return found === null ? undefined : { uid: Number(found[1]), gid: Number(found[2]) };
}

/** A server does not run as root. */
function asPostgres(command: readonly string[]): void {
  const [program = '', ...args] = command;
  const run = spawnSync(program, args, {
    ...postgresUser(),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
  });
  const { status, stderr, error } = run;
  if (status !== 0) throw new Error(`${command.join(' ')}: ${error?.message ?? stderr}`);
}
