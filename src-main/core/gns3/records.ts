// The records of the GNS3 server, as far as Patchbay reads them; what else they hold is kept.
import * as z from 'zod';

/** A project. */
export const projectSchema = z.looseObject({ project_id: z.string(), name: z.string(), status: z.string() });
export type ProjectRecord = z.output<typeof projectSchema>;

/** Counts of an open project; all zero in a closed one. */
export const statsSchema = z.object({
  nodes: z.number(),
  links: z.number(),
  drawings: z.number(),
  snapshots: z.number(),
});

/** A port of a node. */
export const portSchema = z.looseObject({
  name: z.string(),
  short_name: z.string(),
  adapter_number: z.number(),
  port_number: z.number(),
  link_type: z.string().optional(),
});
export type PortRecord = z.output<typeof portSchema>;

/** A node. The saved records of a closed project have no `status`, `ports`, `project_id` and `console_host`. */
export const nodeSchema = z.looseObject({
  node_id: z.string(),
  name: z.string(),
  node_type: z.string(),
  status: z.string().optional(),
  compute_id: z.string().nullish(),
  console: z.number().nullish(),
  console_host: z.string().nullish(),
  console_type: z.string().nullish(),
  x: z.number().nullish(),
  y: z.number().nullish(),
  ports: z.array(portSchema).optional(),
  properties: z.record(z.string(), z.unknown()).nullish(),
});
export type NodeRecord = z.output<typeof nodeSchema>;

/** One end of a link. */
export const linkEndSchema = z.looseObject({
  node_id: z.string(),
  adapter_number: z.number(),
  port_number: z.number(),
  label: z.looseObject({}).nullish(),
});
export type LinkEnd = z.output<typeof linkEndSchema>;

/** A link. The saved records of a closed project have no `link_type` and no `capturing`. */
export const linkSchema = z.looseObject({
  link_id: z.string(),
  nodes: z.array(linkEndSchema),
  suspend: z.boolean().optional(),
  filters: z.record(z.string(), z.unknown()).nullish(),
  link_style: z.looseObject({}).nullish(),
  link_type: z.string().optional(),
  capturing: z.boolean().optional(),
});
export type LinkRecord = z.output<typeof linkSchema>;

/** What a link's filter takes. */
export const availableFilterSchema = z.looseObject({
  type: z.string(),
  parameters: z.array(
    z.looseObject({
      name: z.string(),
      type: z.string(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      unit: z.string().optional(),
    }),
  ),
});
export type AvailableFilter = z.output<typeof availableFilterSchema>;

/** A template. Built-in ones have no compute. */
export const templateSchema = z.looseObject({
  template_id: z.string(),
  name: z.string(),
  template_type: z.string(),
  version: z.string().nullish(),
  compute_id: z.string().nullish(),
  builtin: z.boolean().optional(),
});
export type TemplateRecord = z.output<typeof templateSchema>;

/** A remote compute. */
export const computeSchema = z.looseObject({ compute_id: z.string(), name: z.string().nullish() });

/** What a compute can run. */
export const capabilitiesSchema = z.looseObject({
  version: z.string(),
  node_types: z.array(z.string()),
  platform: z.string(),
});

/** How busy a compute is. */
export const computeStatisticsSchema = z.looseObject({});

/** An image on a compute; docker's have nothing but `image`. */
export const imageSchema = z.looseObject({});

/** A list whose rows do not matter, only their number. */
export const countedSchema = z.array(z.unknown());
