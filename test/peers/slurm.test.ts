import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../common/io/net/free-port';
import { emitted } from '../../emulator/study/emit';
import { parseStudy } from '../../emulator/study/study-document';
import { hpcc } from '../support/command-line';
import { describeIf } from '../support/requires';
import { MAIN, ended } from '../support/study';

const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'sinfo'];
const FOLDERS = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];

/** True if Slurm is installed, and may be started: its daemons change users. */
const hasSlurm = (): boolean =>
  process.getuid?.() === 0 &&
  PROGRAMS.every((name) => FOLDERS.some((folder) => fs.existsSync(path.join(folder, name))));

const START_MS = 30_000;

/** A cluster of one node, this machine, on loopback, with all its files in a folder. */
class SlurmNode {
  #processes: ChildProcess[] = [];

  private constructor(private readonly folder: string) {}

  static async start(folder: string): Promise<SlurmNode> {
    for (const name of ['', 'state', 'spool']) fs.mkdirSync(path.join(folder, name));
    // munged trusts no folder that others may write to or not look into.
    for (const each of [path.dirname(folder), folder]) fs.chmodSync(each, 0o755);
    fs.writeFileSync(path.join(folder, 'munge.key'), crypto.randomBytes(1024), { mode: 0o600 });
    const ports = [await freePort(), await freePort()] as const;
    fs.writeFileSync(path.join(folder, 'slurm.conf'), configuration(folder, ports));
    const node = new SlurmNode(folder);
    try {
      await node.#startAll();
    } catch (error) {
      await node.stop();
      throw error;
    }
    return node;
  }

  async #startAll(): Promise<void> {
    const at = (name: string): string => path.join(this.folder, name);
    const files = ['key', 'pid', 'log', 'seed'].map(
      (name) => `--${name}-file=${at(`munge.${name}`)}`,
    );
    const socket = at('munge.sock');
    this.#run('munged', '-F', `--socket=${socket}`, ...files);
    await until('munged has no socket', () => fs.existsSync(socket));
    this.#run('slurmctld', '-D', '-c');
    this.#run('slurmd', '-D');
    const isIdle = (): boolean => this.#command('sinfo', '-h', '-o', '%T').stdout.trim() === 'idle';
    await until('the node is not idle', isIdle);
  }

  /** Gives a script to `sbatch`, which runs in the folder of the node. */
  sbatch(script: string, ...options: string[]) {
    const file = path.join(this.folder, 'job.sh');
    fs.writeFileSync(file, script);
    const { status, stdout, stderr } = this.#command('sbatch', ...options, file);
    return { status, stdout, stderr };
  }

  #command(name: string, ...args: string[]) {
    return spawnSync(name, args, { cwd: this.folder, env: this.#env, encoding: 'utf8' });
  }

  #run(name: string, ...args: string[]): void {
    const stdio = ['ignore', 'ignore', 'ignore'] as const;
    this.#processes.push(
      spawn(name, args, { cwd: this.folder, env: this.#env, stdio: [...stdio] }),
    );
  }

  get #env(): NodeJS.ProcessEnv {
    const SLURM_CONF = path.join(this.folder, 'slurm.conf');
    return { ...process.env, SLURM_CONF, PATH: FOLDERS.join(':') };
  }

  async stop(): Promise<void> {
    for (const each of this.#processes.reverse()) {
      each.kill('SIGTERM');
      await ended(each);
    }
    this.#processes = [];
  }
}

async function until(otherwise: string, isSo: () => boolean): Promise<void> {
  const end = Date.now() + START_MS;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(otherwise);
    await sleep(100);
  }
}

function configuration(folder: string, [control, daemon]: readonly [number, number]): string {
  const name = os.hostname().split('.')[0] ?? 'localhost';
  return `ClusterName=hpcc
SlurmctldHost=${name}(127.0.0.1)
AuthInfo=socket=${folder}/munge.sock
SlurmUser=root
SlurmdUser=root
SlurmctldPort=${control}
SlurmdPort=${daemon}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
NodeName=${name} NodeAddr=127.0.0.1 CPUs=${os.availableParallelism()} RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
`;
}

const STUDY = `
name: batch
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
axes: [{ path: flows.0.bytes, values: [10000, 20000] }]
figures: [fctUs.median]
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;

describeIf(
  hasSlurm(),
  'Slurm',
  'no slurmctld, slurmd, sbatch and munged (slurm-wlm of Debian), or not root',
  () => {
    let folder: string;
    let slurm: SlurmNode;
    beforeAll(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-slurm-'));
      slurm = await SlurmNode.start(path.join(folder, 'node'));
    });
    afterAll(async () => {
      await slurm.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    test('runs the cells of an emitted script, and the study has them all', () => {
      const file = path.join(folder, 'batch.yaml');
      fs.writeFileSync(file, STUDY);
      const out = ['--folder', path.join(folder, 'o')];
      const kept = path.join(folder, 'kept');
      const command = `${process.execPath} ${MAIN}`;
      const how = ['--kind', 'slurm', '--command', command, '--parallel', '2', '--keep', kept];
      const script = hpcc('study', 'emit', file, ...out, ...how).stdout;
      expect(slurm.sbatch(script, '--wait')).toMatchObject({ status: 0, stderr: '' });
      const { stdout } = hpcc('study', 'run', file, ...out, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ cells: 2, done: 2, asked: 0 });
      expect(fs.readdirSync(kept).filter((name) => name.endsWith('.json.gz'))).toHaveLength(2);
    });

    test('accepts the array of a study of many cells, and would refuse a task for each', () => {
      const { value: study } = parseStudy(STUDY, 's.yaml');
      const many = emitted('slurm', {
        study,
        file: 's.yaml',
        folder: 'out/s',
        cells: 2500,
        command: './hpcc',
        image: '',
        claim: '',
        parallel: 2,
      });
      expect(slurm.sbatch(many, '--test-only')).toMatchObject({ status: 0 });
      const each = many.replace('0-999%', '0-2499%');
      expect(slurm.sbatch(each, '--test-only')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('array') as unknown,
      });
    });
  },
);
