import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { HOST_BLOCK_TEXT } from '../../../../common/wire/ip/usid';
import { readSourcePaths } from '../../../../controller/io/source-paths';

const ADDRESS = 0x0a00_0001;
const HOSTS = [1, 2, 3].map((n) => ({ name: `h${n}`, ipv6: `fd48:5044:800${n}::` }));
const LEAF_SPINE = {
  network: 'leaf-spine',
  usid: { block: HOST_BLOCK_TEXT },
  switches: ['s1', 's2', 's3', 's4'].map((name) => ({ name })),
  hosts: HOSTS,
  links: [
    ['h1', 's1:1'],
    ['h2', 's2:1'],
    ['h3', 's2:2'],
    ['s1:3', 's3:1'],
    ['s1:4', 's4:1'],
    ['s2:3', 's3:2'],
    ['s2:4', 's4:2'],
  ].map((between) => ({ between, rate: '10 Mb/s' })),
};

describe('paths of uSIDs by the document of a network', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-source-paths-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const pathsIn = (changed: object = {}) => {
    const file = path.join(folder, 'network.json');
    fs.writeFileSync(file, JSON.stringify({ ...LEAF_SPINE, ...changed }));
    return readSourcePaths(file);
  };

  test('lead by each spine, to the hosts of the document alone', async () => {
    const routes = (await pathsIn()).from(ADDRESS);
    const found = routes(ADDRESS + 1);
    const texts = found?.destinations.map((each) => Buffer.from(each).toString('hex'));
    expect(texts?.map((text) => text.slice(0, 20))).toEqual([
      'fd485044000100030002',
      'fd485044000100040002',
    ]);
    expect(found?.hostAt).toBe(10);
    expect(routes(ADDRESS + 2)).toEqual(found);
    expect(routes(ADDRESS + 9)).toBeUndefined();
  });

  test('are refused to a host that is not in it', async () => {
    const paths = await pathsIn();
    expect(() => paths.from(ADDRESS + 9)).toThrow('no host has 10.0.0.10');
  });

  test.each([
    ['switches that end no uSIDs', { usid: undefined }, "{block: 'fd48:5044::/32'}, found none"],
    ['another block', { usid: { block: 'fd00:1::/32' } }, 'found fd00:1::/32'],
    [
      'a host of IPv4 alone',
      { hosts: [...HOSTS.slice(0, 2), { name: 'h3' }] },
      "wanted host h3 with ipv6: 'fd48:5044:8003::', found none",
    ],
    [
      'an address without a uSID',
      { hosts: [...HOSTS.slice(0, 2), { ...HOSTS[2], ipv4: '192.168.0.1' }] },
      'wanted host h3 from 10.0.0.1 to 10.0.95.255, found 192.168.0.1',
    ],
    [
      'node ids among those of hosts',
      { switches: [{ name: 's1', nodeId: 40_000 }, ...LEAF_SPINE.switches.slice(1)] },
      'node ids are up to 32767, and that of s1 is 40000',
    ],
    [
      'a host with two links',
      {
        links: [...LEAF_SPINE.links.slice(1), ['h1:1', 's1:1'], ['h1:2', 's2:9']].map((each) =>
          Array.isArray(each) ? { between: each, rate: '10 Mb/s' } : each,
        ),
      },
      'host h1 has several links',
    ],
  ])('are refused for %s', async (_, changed, message) => {
    await expect(pathsIn(changed)).rejects.toThrow(message);
  });
});
