// Templates of the GNS3 server, found by id or name, changed and compared.
import * as z from 'zod';
import { path } from './api.ts';
import type { Gns3Api } from './api.ts';
import { differences } from './differences.ts';
import { findOne, isId } from './lookup.ts';
import type { Noted } from './noted.ts';
import { templateSchema } from './records.ts';
import type { TemplateRecord } from './records.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Templates. Every `wanted` is an id or a name. */
export interface Templates {
  list(): Promise<readonly TemplateRecord[]>;
  get(wanted: string): Promise<TemplateRecord>;
  create(fields: Fields): Promise<Noted<TemplateRecord>>;
  update(wanted: string, fields: Fields): Promise<Noted<TemplateRecord>>;
  remove(wanted: string, pruneImages: boolean): Promise<TemplateRecord>;
}

/** Templates of a server. */
export function createTemplates(api: Gns3Api): Templates {
  const list = (): Promise<TemplateRecord[]> => api.read('/templates', z.array(templateSchema));
  const get = async (wanted: string): Promise<TemplateRecord> =>
    isId(wanted)
      ? api.read(path`/templates/${wanted}`, templateSchema)
      : findOne(wanted, await list(), 'template', named);
  return {
    list,
    get,
    async create(fields) {
      const made = await api.change({ method: 'POST', path: '/templates', body: fields }, templateSchema);
      return { value: made, notices: differences(fields, made) };
    },
    async update(wanted, fields) {
      const { template_id: id } = await get(wanted);
      const after = await api.change({ method: 'PUT', path: path`/templates/${id}`, body: fields }, templateSchema);
      return { value: after, notices: differences(fields, after) };
    },
    async remove(wanted, pruneImages) {
      const template = await get(wanted);
      const query = pruneImages ? '?prune_images=true' : '';
      await api.send({ method: 'DELETE', path: `${path`/templates/${template.template_id}`}${query}` });
      return template;
    },
  };
}

function named({ template_id: id, name, template_type: type, version }: TemplateRecord) {
  return { id, name, more: version == null || version === '' ? type : `${type}, version ${version}` };
}
