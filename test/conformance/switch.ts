import { describeActions } from './switch-actions';
import { describeControl } from './switch-control';
import { describeDeparser } from './switch-deparser';
import { describeExpressions } from './switch-expressions';
import { describeHpcc } from './switch-hpcc';
import { describeIntTransit } from './switch-int-transit';
import { describeParser } from './switch-parser';
import { describePrograms } from './switch-programs';
import { describeRobustness } from './switch-robustness';
import { describeArchitecture } from './switch-architecture';
import { describeHeaderShapes } from './switch-header-shapes';
import { describeWholeLanguage } from './switch-whole-language';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Tests the behaviour required of every executor of P4 programs. */
export function describeExecutor(name: string, create: ExecutorFactory): void {
  describe(`the executor ${name}`, () => {
    describe('expressions', () => describeExpressions(create));
    describe('actions', () => describeActions(create));
    describe('parser', () => describeParser(create));
    describe('control', () => describeControl(create));
    describe('deparser', () => describeDeparser(create));
    describe('an INT transit program', () => describeIntTransit(create));
    describe('compiled programs', () => describePrograms(create));
    describe('header shapes', () => describeHeaderShapes(create));
    describe('the architecture', () => describeArchitecture(create));
    describe('the whole language', () => describeWholeLanguage(create));
    describe('robustness', () => describeRobustness(create));
    describeHpcc(create);
  });
}
