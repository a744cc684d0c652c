import type { Hazard, Operand } from '../model/option-model.ts'
import { options, type ToolTable, tools } from '../model/tool-model.ts'
import { leavesProject } from './project-paths.ts'

/** Tools that talk to other machines: fetching to the screen is free, files going in or out are not. */
const UPLOADS = 'sends a file'
const WRITES = 'writes a file'

const SECRET = /(^|\/)(\.env|\.ssh|\.aws|\.git|id_[a-z0-9]+|\.netrc|\.npmrc)/
const secretsOrOutside = (operands: readonly Operand[]): Hazard[] =>
  operands
    .filter(({ text }) => leavesProject(text) || SECRET.test(text))
    .map(({ at }) => ({ at, why: 'is a file outside the project or a secret' }))

export const NETWORK_TOOLS: ToolTable = {
  ...tools(
    'curl',
    options({
      options: `-o= --output= -A= -b= -d= -e= -H= -X= -m= -r= -u= -w= -y= -Y= -z= -0 -1 -2 -3 -4 -6 -a -B -f -g -G -i -I -j -k -l -L -M -N -p -R -s -S -v -V -# -h?
        --user-agent= --cookie= --data= --data-raw= --data-binary= --data-ascii= --data-urlencode= --json= --header= --request= --max-time= --range= --user= --write-out= --connect-timeout= --retry= --retry-delay= --retry-max-time= --max-redirs= --referer= --url= --limit-rate= --compressed --fail --fail-with-body --globoff --get --include --head --insecure --location --no-buffer --silent --show-error --verbose --version --help? --progress-bar --no-progress-meter --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --tlsv1.2 --tlsv1.3 --retry-connrefused --retry-all-errors --parallel --raw --tr-encoding --styled-output --no-styled-output --max-filesize= --form-string= --oauth2-bearer= --url-query=`,
      hazards: {
        '-O --remote-name --remote-name-all -J --remote-header-name --output-dir= --create-dirs -c= --cookie-jar= -D= --dump-header= --trace= --trace-ascii= --trace-config= --libcurl= --stderr= --hsts= --alt-svc= --etag-save= -C= --continue-at= --xattr':
          WRITES,
        '-K= --config= --engine= --variable= -q --disable': 'loads a configuration',
        '-T= --upload-file= -F= --form= -E= --cert= --key= --cacert= --capath= --etag-compare= --netrc-file= -n --netrc --netrc-optional --crlfile= --pinnedpubkey= --proxy-cert= --proxy-key=':
          UPLOADS,
        '-x= --proxy= --preproxy= --socks4= --socks5= --socks5-hostname= --socks4a= -U= --proxy-user= --unix-socket= --abstract-unix-socket= --resolve= --connect-to= --doh-url= --dns-servers= --interface= --location-trusted -P= --ftp-port= -Q= --quote= -t= --telnet-option= --mail-from= --mail-rcpt=':
          'goes another way',
      },
      values: [
        { of: '-d --data --data-binary --data-ascii --json --url-query -H --header', bad: /^@/, why: UPLOADS },
        { of: '-o --output', bad: /^(?!\/dev\/null$|-$)/, why: WRITES },
        { of: '--data-urlencode --url-query', bad: /@/, why: UPLOADS },
        { of: '-b --cookie', bad: /^[^=]*$/, why: 'reads a cookie file' },
        { of: '-w --write-out', bad: /^@|%output/, why: WRITES },
        { of: '--url', bad: /^(?!https?:\/\/)[a-z0-9+.-]+:\/\//i, why: 'is no web address' },
      ],
      unlisted: 'closed',
      operands: operands =>
        operands
          .filter(({ text }) => /^(?!https?:\/\/)[^/?#]*:\/|^[^/?#]*[{}[\]]/i.test(text))
          .map(({ at }) => ({ at, why: 'is no web address' })),
    }),
  ),
  ...tools(
    'wget wget2',
    options({
      options:
        '-O= --output-document= -q -v -S -c -N -nv -t= -T= -U= -4 -6 -d --quiet --verbose --no-verbose --server-response --spider --tries= --timeout= --user-agent= --header= --no-check-certificate --continue --timestamping --max-redirect= --https-only --help --version -V -h --method= --show-progress --compression= -nc --no-clobber',
      hazards: {
        '-P= --directory-prefix= -o= --output-file= -a= --append-output= --save-cookies= --save-headers --warc-file= --rejected-log= -x --force-directories':
          WRITES,
        '--post-file= --body-file= --post-data= --body-data= --load-cookies= --certificate= --private-key= --ca-certificate=':
          UPLOADS,
        '-e= --execute= --config= --use-askpass= -i= --input-file= -B= --base= -r --recursive -m --mirror -p --page-requisites -k --convert-links -l= -H --hsts-file= --use-server-timestamps':
          'loads a configuration or fetches many files',
      },
      values: [{ of: '-O --output-document', bad: /^(?!\/dev\/null$|-$)/, why: WRITES }],
      unlisted: 'closed',
      operands: (operands, seen) =>
        operands.flatMap(({ at, text }): Hazard[] => {
          if (/^(?!https?:)[a-z0-9+.-]+:\/\//i.test(text)) return [{ at, why: 'is no web address' }]
          const shown = ['-O', '--output-document', '--spider'].some(option => seen.has(option))
          return shown ? [] : [{ at, why: 'is kept as a file' }]
        }),
    }),
  ),
  ...tools(
    'ssh',
    options(
      {
        options: '-4 -6 -a -C -k -q -T -t -v -V -x -y -l= -p= -b= -c= -m=',
        hazards: {
          '-o= -F= -E= -I= -i= -J= -L= -R= -D= -W= -w= -S= -O= -Q= -e= -f -N -n -A -X -Y -K -M -g -s -G -B= -P=':
            'changes how it connects, or runs a program',
        },
        unlisted: 'closed',
        order: 'options_first',
        operands: operands => [
          ...operands.slice(1).map(({ at }) => ({ at, why: 'runs a command on another machine' })),
          ...operands
            .slice(0, 1)
            .filter(({ text }) => text.startsWith('-'))
            .map(({ at }) => ({ at, why: 'is no host' })),
        ],
      },
      'nowhere',
    ),
  ),
  ...tools(
    'rsync',
    options({
      options:
        '-a -v -r -z -h -n -u -t -l -p -P -q -C -4 -6 -c -x -H -i -8 -W --archive --verbose --recursive --compress --human-readable --dry-run --update --times --links --perms --progress --stats --partial --exclude= --include= --itemize-changes --checksum --size-only --ignore-existing --info= --version --help --quiet --delay-updates --no-perms --no-owner --no-group --chmod= --max-size= --min-size= --list-only --cvs-exclude',
      hazards: {
        '-e= --rsh= --rsync-path= -S= -F= -o= -i= -J= -D= -c= -M= --remote-option= --daemon --config= --password-file= --files-from= --filter= -f= --write-batch= --read-batch= --log-file= --partial-dir= --temp-dir= -T= --backup-dir= --link-dest= --copy-dest= --compare-dest= --exclude-from= --include-from= --early-input= --sockopts=':
          'runs a program or changes how it connects',
        '--delete --delete-before --delete-during --delete-after --delete-excluded --del --remove-source-files --inplace --backup -b --existing --force':
          'deletes files',
      },
      unlisted: 'closed',
      operands: secretsOrOutside,
    }),
  ),
  ...tools(
    'scp',
    options({
      options: '-4 -6 -C -p -q -r -v -B -3 -P= -l=',
      hazards: { '-S= -F= -o= -i= -J= -D= -c= -X= -s -O -A -T -R': 'runs a program or changes how it connects' },
      unlisted: 'closed',
      operands: secretsOrOutside,
    }),
  ),
  ...tools(
    'ssh-keygen ssh-add',
    options({
      options: '-l -L -v -B -F= -E=',
      hazards: { '-D= -s= -e= -P= -f= -w= -M= -O=': 'loads code or writes keys' },
      unlisted: 'closed',
    }),
  ),
  ...tools(
    'dpkg rpm',
    options({
      options: '-l -L= -s= -S= -q -a -i -p -f= --list --listfiles= --status= --search= --version --help',
      hazards: { '-i --install -U -e -F -r -P': 'installs or removes packages' },
      unlisted: 'closed',
    }),
  ),
  ...tools(
    'ping ping6',
    options({
      options: '-c= -i= -W= -w= -s= -t= -4 -6 -n -q -v -D -O -a -V',
      hazards: { '-f -l= -A -I= -p= -M= -Q= -S= -F=': 'floods the network' },
      unlisted: 'closed',
    }),
  ),
  ...tools(
    'nmap tcpdump',
    options({
      hazards: {
        '--script= -oN= -oX= -oA= -oG= -iL= -w= -z= -r= --interactive --datadir= -Z= -oS=':
          'runs a program or writes a file',
      },
      options: '-V --version --help',
      unlisted: 'closed',
    }),
  ),
}
