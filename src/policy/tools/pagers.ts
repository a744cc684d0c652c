import { options, type ToolTable, tools } from '../model/tool-model.ts'

/** Pagers and manuals: they can start programs from their options, and `less` from a `+` word. */
export const PAGERS: ToolTable = {
  ...tools(
    'man',
    options({
      options:
        '-a -d -f -k -w -W -I -i -h -u -K -D -s= -S= -e= -R= -L= -m= -E= -c --all --default --whatis --apropos --where --path --location --where-cat --ignore-case --match-case --regex --wildcard --names-only --update --no-subpages --sections= --section= --locale= --extension= --encoding= --no-hyphenation --no-justification --help --usage --version',
      hazards: {
        '-P= --pager=': 'runs a pager program',
        '-H? --html?': 'runs a browser program',
        '-C= --config-file=': 'loads a configuration',
        '-M= --manpath=': 'reads manuals from elsewhere',
        '-T? --troff-device? -t --troff -X? --gxditview? -Z --ditroff -p= --preprocessor= -r= --prompt= -l --local-file':
          'runs formatting programs',
      },
      unlisted: 'closed',
      operands: operands =>
        operands.filter(({ text }) => text.includes('/')).map(({ at }) => ({ at, why: 'is a file, not a manual' })),
    }),
  ),
  ...tools(
    'less more most',
    options({
      options:
        '-e -E -f -F -g -G -i -I -J -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X -~ -x? -y? -z? -h? -j? --quit-if-one-screen --no-init --raw-control-chars --RAW-CONTROL-CHARS --chop-long-lines --line-numbers --LINE-NUMBERS --ignore-case --IGNORE-CASE --squeeze-blank-lines --quit-at-eof --help --version',
      hazards: {
        '-o= -O= --log-file= --LOG-FILE=': 'writes a file',
        '-k= --lesskey-file= --lesskey-src=': 'loads key commands',
        '-t= -T= --tag= --tag-file=': 'reads a tags file',
        '-p= --pattern= -P= --prompt=': 'takes text that less interprets',
      },
      values: [{ of: '-x -y -z -h -j', bad: /[^\d,.]/, why: 'hides another option' }],
      unlisted: 'closed',
      digits: 'allowed',
      operands: operands =>
        operands
          .filter(({ text }) => text.startsWith('+'))
          .map(({ at }) => ({ at, why: 'is a command for the pager' })),
    }),
  ),
  ...tools('info pinfo', options({ options: '-k= --apropos= -w --where --help --version', unlisted: 'closed' })),
}
