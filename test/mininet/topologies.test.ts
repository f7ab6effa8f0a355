import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../common/io/repository';
import { describePlace } from '../../controller/entities/describe';
import { loadNetwork } from '../../controller/io/network-file';

const FOLDER = path.join(repositoryRoot(), 'mininet', 'topologies');

/** Hosts and switches of each document that newcomers copy. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  'dumbbell.yaml': [4, 2],
  'fat-tree.yaml': [16, 20],
  'leaf-spine.yaml': [6, 5],
  'parking-lot.yaml': [6, 3],
  'star.yaml': [9, 1],
};

describe('the topologies for Mininet', () => {
  test('are all known here', () => {
    expect(fs.readdirSync(FOLDER).sort()).toEqual(Object.keys(SIZES));
  });

  test.each(Object.entries(SIZES))(
    '%s gives every switch a route to every host',
    async (file, [hosts, switches]) => {
      const prepared = await loadNetwork(path.join(FOLDER, file));
      const routes = prepared.switches.map(({ management }) =>
        management.desired.map(describePlace).filter((text) => text.includes('.ipv4_route (')),
      );
      expect(routes.map(({ length }) => length)).toEqual(Array(switches).fill(hosts));
    },
  );
});
