import { type Inspector, inspectOptions } from '../model/option-model.ts'
import { nothingButHelp, options, subcommands, type ToolModel, type ToolTable, tools } from '../model/tool-model.ts'
import { leavesProject } from './project-paths.ts'

/** Command-line tools of services: reading is free, everything else must be spelled out. */
const everything: Inspector = (argv, start) =>
  argv.slice(start).map((_, i) => ({ at: start + i, why: 'may run or change something' }))

const ELSEWHERE = 'talks to another server or as another user'
const DOCKER_HAZARDS = {
  '-H= --host= --config= -c= --context= --tls --tlscacert= --tlscert= --tlskey= --tlsverify -D --debug -l= --log-level=':
    ELSEWHERE,
}
const KUBE_HAZARDS = {
  '--kubeconfig= -s= --server= --token= --as= --as-group= --as-uid= --user= --username= --password= --client-certificate= --client-key= --certificate-authority= --insecure-skip-tls-verify --cluster= --cache-dir= --raw= --profile= --profile-output= --tls-server-name= --log-file= --log-dir= --output-directory= --output-watch-events=':
    ELSEWHERE,
}

const composeGlobals = inspectOptions({
  hazards: {
    '-f= --file= --project-directory= --env-file= -p= --project-name= --profile= --parallel=': 'takes another project',
  },
  unlisted: 'open',
  order: 'options_first',
})

/** `docker compose -f x exec web sh`: the options of compose, then a verb that may run anything. */
const compose: Inspector = (argv, start) => {
  const verb = argv.findIndex(
    (word, i) => i >= start && /^(exec|run|cp|watch|attach|commit|export|publish)$/.test(word),
  )
  return [...composeGlobals(argv, start), ...(verb < 0 ? [] : everything(argv, verb))]
}

const docker: ToolModel = subcommands({
  globals: { options: '-v --version --help', hazards: DOCKER_HAZARDS, unlisted: 'closed' },
  free: 'ps|images|logs|inspect|version|info|top|stats|port|diff|history|events|container ls|container ps|container list|container logs|container inspect|image ls|image list|image inspect|image history|volume ls|volume inspect|network ls|network inspect|context ls|compose ps|compose logs|compose config|compose ls|compose images|compose top|compose version|compose port|system df|system info|buildx ls|search|node ls|service ls|stack ls',
  models: {
    'exec|run|container exec|container run|compose exec|compose run|cp|container cp|export|save|load|import|commit|plugin|context|swarm|compose cp|compose watch|buildx|builder|trust|login|update|attach|create|container create':
      everything,
    'ps|images|logs|inspect|top|stats|port|diff|history|events|container ls|image ls|volume ls|network ls|compose ps|compose logs|compose images|compose top|compose ls|search|version|info':
      {
        options:
          '-n= --last= --filter= -f? --format= --tail= --since= --until= -a -q -s --size --no-trunc --all --quiet',
        hazards: { '-H= --host= --config= --context= --tlscacert= --tlscert= --tlskey=': ELSEWHERE },
        unlisted: 'open',
      },
    compose,
    'compose config': { hazards: { '-o= --output= --lock-image-digests': 'writes a file' }, unlisted: 'open' },
    build: {
      options:
        '-t= --tag= -f= --file= --build-arg= --target= --platform= --progress= --label= --cache-from= -q --no-cache --pull',
      values: [{ of: '-f --file', bad: /^[/~]|\.\.|:\/\//, why: 'is outside the project' }],
      operands: operands =>
        operands
          .filter(({ text }) => leavesProject(text) || /:\/\/|@|^git/.test(text))
          .map(({ at }) => ({ at, why: 'is outside the project' })),
      hazards: {
        ...DOCKER_HAZARDS,
        '-o= --output= --secret= --ssh= --iidfile= --metadata-file= --cache-to= --allow= --build-context= --network=':
          'reads secrets or writes files',
      },
      unlisted: 'open',
    },
  },
  otherwise: { hazards: DOCKER_HAZARDS, unlisted: 'open' },
  why: 'may start, stop, change or remove something',
})

const kubectl: ToolModel = subcommands({
  globals: {
    options: '-n= --namespace= --context= -v= --request-timeout= --help -h',
    hazards: KUBE_HAZARDS,
    unlisted: 'closed',
  },
  free: 'get|describe|logs|version|top|explain|api-resources|api-versions|cluster-info|config view|config current-context|config get-contexts|auth can-i|rollout status|rollout history|events|diff',
  models: {
    'exec|cp|run|attach|debug|edit|proxy|port-forward|plugin|kustomize|krew': everything,
    logs: { options: '-f -n= -c= --tail= --since= -p', hazards: KUBE_HAZARDS, unlisted: 'open' },
    'get|describe|top|explain|events|version|api-resources|rollout status': {
      options:
        '-n= --namespace= -o= --output= -l= --selector= --context= -c= --container= --tail= --since= --field-selector= --sort-by= -L= -w -A',
      hazards: { ...KUBE_HAZARDS, '-f= --filename= -k= --kustomize=': 'reads a file or an address' },
      values: [{ of: '-o --output --template', bad: /-file(=|$)/, why: 'reads a file' }],
      unlisted: 'open',
    },
  },
  otherwise: { hazards: KUBE_HAZARDS, unlisted: 'open' },
  why: 'changes the cluster or runs something in it',
})

const gh: ToolModel = subcommands({
  globals: { options: '--version --help', unlisted: 'closed' },
  free: 'pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|run list|run view|repo view|repo list|release list|release view|workflow list|workflow view|search issues|search prs|search code|search repos|status|auth status|gist list|label list|version|help|ruleset list|cache list',
  models: {
    'pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|run list|run view|run watch|repo view|repo list|release list|release view|workflow list|workflow view|search issues|search prs|search code|search repos':
      {
        options: '-q= --jq=',
        hazards: { '-w --web': 'opens a browser' },
        // As jq itself it can print the environment.
        values: [{ of: '-q --jq', bad: /\bENV\b|(?<!\.)\benv\b/, why: 'prints the environment' }],
        unlisted: 'open',
      },
    'auth status': { hazards: { '-t --show-token': 'prints a token' }, unlisted: 'open' },
    'api|extension|alias|auth|config|codespace|ssh-key|secret|gpg-key|variable|gist': everything,
  },
  otherwise: {
    hazards: {
      '-w --web': 'opens a browser',
      '-F= --body-file= --notes-file= -e --editor': 'sends a file or opens an editor',
      '--admin': 'overrides the rules',
    },
    unlisted: 'open',
  },
  why: 'changes something on the server',
})

const reading = (
  free: string,
  hazards: Readonly<Record<string, string>> = {},
  dashes: 'letters' | 'words' = 'letters',
): ToolModel =>
  subcommands({
    globals: { options: '--version -version --help -h -v', hazards, unlisted: 'closed', dashes },
    free,
    models: {},
    otherwise: { hazards, unlisted: 'open', dashes },
    why: 'may change something',
  })

export const SERVICE_TOOLS: ToolTable = {
  ...tools('docker podman nerdctl', docker),
  ...tools('docker-compose', reading('ps|logs|config|images|top|version|ls', DOCKER_HAZARDS)),
  ...tools('kubectl oc', kubectl),
  ...tools('gh glab', gh),
  ...tools(
    'terraform tofu terragrunt',
    reading(
      'version|validate|providers schema|output|show|state list|workspace list|graph|fmt -check',
      {
        '-chdir= -plugin-dir= -config= -backend-config= -var-file= -out= -state= -lock-file= -from-module= -auto-approve':
          'works elsewhere or writes files',
      },
      'words',
    ),
  ),
  ...tools(
    'helm',
    reading('list|ls|status|version|get|history|show|search|env', {
      '--kubeconfig= --output-dir= --post-renderer= --kube-apiserver= --kube-token= --registry-config= --repository-config=':
        ELSEWHERE,
    }),
  ),
  ...tools(
    'systemctl',
    reading(
      'status|list-units|list-unit-files|list-timers|is-active|is-enabled|is-failed|show|cat|list-dependencies|list-sockets|--version',
      { '-H= --host= -M= --machine= --root=': ELSEWHERE },
    ),
  ),
  ...tools(
    'journalctl',
    options({
      options: '-u= -n= -f -e -b? -k --since= --until= -p= -o= --no-pager --grep= -g=',
      hazards: {
        '--vacuum-size= --vacuum-time= --vacuum-files= --rotate --cursor-file= --flush --sync --setup-keys --update-catalog --relinquish-var --smart-relinquish-var -D= --directory= -i= --file= --image= --root= -M= --machine=':
          'deletes logs or reads others',
      },
      unlisted: 'open',
    }),
  ),
  ...tools('launchctl service', reading('list|print|--status-all')),
  ...tools('ip', {
    globs: 'nowhere',
    inspect: (argv, start) =>
      argv
        .slice(start)
        .flatMap((word, i) =>
          /^(-[46sdhojp]|-br|-brief|-details|-json|-pretty|-color|a|addr|address|l|link|r|route|n|neigh|rule|show|list|ls|dev|\w+\d+|lo)$/.test(
            word,
          )
            ? []
            : [{ at: start + i, why: 'may change the network' }],
        ),
  }),
  ...tools(
    'gpg gpg2',
    options({
      options:
        '-k -K -a -q -v --list-keys --list-secret-keys --list-public-keys --list-sigs --check-sigs --fingerprint --with-fingerprint --with-colons --keyid-format= --verify --export --armor --print-md= --quiet --verbose --no-tty --version --help --show-keys',
      unlisted: 'closed',
    }),
  ),
  ...tools(
    'age',
    options({
      options: '-d -r= -i= -a --decrypt --encrypt --recipient= --identity= --armor --version',
      unlisted: 'closed',
    }),
  ),
  ...tools(
    'openssl',
    options({
      hazards: {
        '-engine= -newkey= -provider= -provider-path= -config= -out= -writerand= -keyout= -caout= -sigfile= -keylogfile= -sess_out= -CAcreateserial -outdir= -reqout= -respout= -msgfile= -certsout= -secret= -signature= -passout= -noout_file= -indexout= -crlout= -certout= -text_out= -cert_out= -trusted_out= -keygen_engine= -engine_impl= -ssl_client_engine= -ssl_config= -genconf= -CAserial= -dump_file= -newcert= -srvcertout= -cacertsout= -extracertsout= -save= -certs_out=':
          'loads code, writes a file or touches keys',
      },
      unlisted: 'open',
      dashes: 'words',
      operands: operands =>
        /^(engine|ca|s_server|rehash)$/.test(operands[0]?.text ?? '')
          ? operands.map(({ at }) => ({ at, why: 'loads code, writes files or serves them' }))
          : [],
    }),
  ),
  ...tools(
    'ifconfig',
    options({
      options: '-a -s',
      unlisted: 'closed',
      operands: operands => operands.slice(1).map(({ at }) => ({ at, why: 'may change the network' })),
    }),
  ),
  ...tools(
    'aws gcloud az heroku fly flyctl vercel netlify firebase doctl linode-cli s3cmd wrangler supabase',
    reading('version|help|whoami|list|ls'),
  ),
  ...tools('rclone', nothingButHelp('names programs in its remotes')),
  ...tools(
    'crontab',
    options({
      options: '-l',
      unlisted: 'closed',
      operands: operands => operands.map(({ at }) => ({ at, why: 'replaces the table' })),
    }),
  ),
}
