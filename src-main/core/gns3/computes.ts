// Computes of the GNS3 server, with the local one, which version 3 neither lists nor shows.
import * as z from 'zod';
import { path } from './api.ts';
import type { Gns3Api } from './api.ts';
import { findOne } from './lookup.ts';
import { capabilitiesSchema, computeSchema, computeStatisticsSchema, imageSchema } from './records.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The compute that runs inside the server. */
export const LOCAL = 'local';

/** A compute; what else the server tells is kept. */
export type ComputeRecord = { readonly compute_id: string; readonly name: string } & Fields;

/** Computes. Every `wanted` is an id or a name. */
export interface Computes {
  list(): Promise<readonly ComputeRecord[]>;
  get(wanted: string): Promise<ComputeRecord>;
  images(emulator: string, wanted: string): Promise<readonly Fields[]>;
}

/** Computes of a server. */
export function createComputes(api: Gns3Api): Computes {
  const remote = async (): Promise<readonly ComputeRecord[]> =>
    (await api.read('/computes', z.array(computeSchema))).map((one) => ({ ...one, name: one.name ?? one.compute_id }));
  const list = async (): Promise<readonly ComputeRecord[]> => {
    const others = await remote();
    return others.some(isLocal) ? others : [await local(api, false), ...others];
  };
  const find = async (wanted: string): Promise<ComputeRecord> => findOne(wanted, await list(), 'compute', named);
  return {
    list,
    // Asked by id, the server answers 500 for `local`.
    async get(wanted) {
      const found = await find(wanted);
      return isLocal(found) ? local(api, true) : found;
    },
    async images(emulator, wanted) {
      const id = wanted === LOCAL ? LOCAL : (await find(wanted)).compute_id;
      return api.read(path`/computes/${id}/${emulator}/images`, z.array(imageSchema));
    },
  };
}

const isLocal = ({ compute_id: id }: ComputeRecord): boolean => id === LOCAL;
const named = ({ compute_id: id, name }: ComputeRecord) => ({ id, name });

/** Made of what the server tells about it elsewhere. */
async function local(api: Gns3Api, withStatistics: boolean): Promise<ComputeRecord> {
  const [capabilities, statistics] = await Promise.all([
    api.read('/computes/local/capabilities/', capabilitiesSchema),
    withStatistics ? api.read('/computes/local/statistics/', computeStatisticsSchema) : undefined,
  ]);
  const { hostname } = new URL(api.address.base);
  return {
    compute_id: LOCAL,
    name: LOCAL,
    host: hostname,
    connected: true,
    capabilities,
    ...(statistics === undefined ? {} : { statistics }),
  };
}
