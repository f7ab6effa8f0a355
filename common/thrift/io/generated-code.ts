import { createRequire } from 'node:module';
import * as path from 'node:path';
import { repositoryRoot } from '../../io/repository';
import type * as SimplePreLagCode from '../generated/SimplePreLAG';
import type * as SimpleSwitchCode from '../generated/SimpleSwitch';
import type * as StandardCode from '../generated/Standard';
import type * as MulticastTypes from '../generated/simple_pre_lag_types';
import type * as SimpleSwitchTypes from '../generated/simple_switch_types';
import type * as StandardTypes from '../generated/standard_types';

/** The Thrift compiler's JavaScript lies beside its sources and is loaded as it is. */
export const THRIFT_FOLDER = 'common/thrift';

const load = createRequire(path.join(repositoryRoot(), THRIFT_FOLDER, 'generated', 'index.js'));

export const Standard = load('./Standard') as typeof StandardCode;
export const SimplePreLag = load('./SimplePreLAG') as typeof SimplePreLagCode;
export const SimpleSwitch = load('./SimpleSwitch') as typeof SimpleSwitchCode;

export const standardTypes = load('./standard_types') as typeof StandardTypes;
export const multicastTypes = load('./simple_pre_lag_types') as typeof MulticastTypes;
export const simpleSwitchTypes = load('./simple_switch_types') as typeof SimpleSwitchTypes;
