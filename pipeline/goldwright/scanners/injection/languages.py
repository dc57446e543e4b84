"""The same in other languages: as phrases where words are a space apart, else as patterns."""

from collections.abc import Mapping
from typing import Final

FOREIGN: Final[Mapping[str, str]] = {
    "override": """
        ignoriere|ignorieren|ignoriert|vergiss|vergesst|vergessen|missachte|missachten|verwirf|verwerfen
            |uberschreibe ~5 anweisung*|instruktion*|regel*|vorgabe*|prompt*|befehl*|anleitung*|richtlinie*
            |vorschrift*
        befolge|befolgen|beachte|beachten ~4 anweisung*|instruktion*|vorgabe* ~2 nicht|nicht_mehr|stattdessen
        ab jetzt|sofort|nun ~2 du|sie|gilt|antworte*|bist|sind|bewerte*|folge*
        ignorez|ignore|ignorer|oubliez|oublie|oublier|negligez ~4 instructions|consignes|regles|directives|ordres
            |invites
        ne tenez|tiens|tenir pas|plus|aucun compte ~4 instructions|consignes|regles|directives|precede*|precedent*
        a partir de maintenant|desormais|present ~3 vous|tu|repond*|considere*|traite*
        ignora|ignore|ignoren|ignorad|olvida|olvide|olviden|olvidate|descarta|descarte|omite|omita ~5 instruccion*
            |ordenes|reglas|indicaciones|directrices|mensajes_anteriores|anteriores
        de|desde ahora|este_momento en_adelante|en|eres|debes
        ignore|ignora|ignorem|esqueca|esquece|esquecam|desconsidere|desconsidera|descarte ~5 instruco*|regras
            |ordens|orientaco*|diretrizes|comandos_anteriores
        a partir de_agora|de_ahora|d_ora ~2
        ignora|ignorate|ignori|dimentica|dimenticate|dimentichi|tralascia ~5 istruzion*|regole|ordini|direttive
            |indicazioni|comandi_precedenti
        negeer|negeert|negeren|vergeet|vergeten|sla ~5 instructie*|opdracht*|regels|aanwijzing*|richtlijn*|bevelen
        vanaf nu|hier|dit_moment ~2 je|ben|u|bent|moet|antwoord*
        игнориру* ~5 инструкц*|указани*|правил*|команд*|приказ*|промпт*
        проигнориру* ~5 инструкц*|указани*|правил*|команд*|промпт*
        забудь|забудьте|отбрось|отбросьте|отмени|отмените ~5 инструкц*|указани*|правил*|команд*|выше|промпт*
        не следуй|следуйте|выполняй|выполняйте|соблюдай* ~4 инструкц*|указани*|правил*
        этого|данного момента ~2
    """,
    "address": """
        hinweis|nachricht|anweisung|anweisungen|mitteilung|achtung|notiz|botschaft an|fur ~3 ki|llm|ai
            |sprachmodell*|assistent*|gutachter*|prufer*|richter|orakel|ki_*|modell|modelle|agent|agenten
        wenn|falls|da|sofern du|sie|ihr ~1 ein|eine|das|der|die ~2 ki|llm|ai|sprachmodell|modell|assistent|agent
            |gutachter
        note|message|avis|attention|consigne|instruction|instructions a|au|aux|pour ~3 ia|llm|assistant|assistants
            |modele|modeles|relecteur|relecteurs|intelligence_artificielle|juge|agent|agents
        si|comme vous|tu etes|es ~2 ia|llm|modele|assistant|intelligence|agent|relecteur|robot
        nota|mensaje|aviso|atencion|instrucciones|instruccion|mensagem|atencao|instrucoes|nota_importante para|a
            |al|ao|aos|para_a ~3 ia|llm|asistente|asistentes|modelo|modelos|revisor|revisores|inteligencia_artificial
            |juez|juiz|assistente
        si eres|usted_es|es_usted|usted ~2 ia|llm|modelo|asistente|inteligencia|agente|revisor
        se voce|tu|voces e|es|for|sao ~2 ia|llm|modelo|assistente|inteligencia|agente|revisor
        nota|messaggio|avviso|attenzione|istruzioni per|a|al|all|ai|alla ~3 ia|llm|assistente|assistenti|modello
            |modelli|revisore|revisori|intelligenza_artificiale|giudice
        se sei|siete ~2 ia|ai|llm|modello|assistente|intelligenza|agente|revisore
        opmerking|bericht|notitie|let_op|aandacht|instructie|instructies voor|aan ~3 ai|llm|assistent|taalmodel
            |model|beoordelaar
        als je|u|jij een ~2 ai|llm|taalmodel|assistent|model|agent|beoordelaar
        если ты|вы ~2 ии|ai|llm|модель|языковая|ассистент|агент|рецензент|нейросеть
        заметка|сообщение|примечание|внимание|инструкция|указание для|к ~2 ии|ai|llm|модели|ассистент*|рецензент*
            |нейросет*|языков*
    """,
    "verdict": """
        markiere|markieren|bewerte|bewerten|behandle|behandeln|betrachte|betrachten|melde|melden|werte|werten
            |stufe|kennzeichne ~5 als ~1 belegt|bestatigt|gestutzt|unterstutzt|korrekt|gleichwertig|aquivalent
            |verifiziert|richtig|wahr|supported|equivalent|zutreffend|bewiesen
        diese|die|jede|alle behauptung|behauptungen|aussage|aussagen ~3 belegt|gepruft|bestatigt|korrekt|gestutzt
            |bewiesen|wahr|richtig|verifiziert|uberpruft
        antworte|antworten|gib|geben|urteile ~3 belegt|gestutzt|bestatigt|aquivalent|supported|equivalent
            |gleichwertig
        keine|ohne weitere|eine|jede|erneute prufung|uberprufung|verifikation
        uberprufung|prufung|verifikation ~2 nicht|un* notig|erforderlich|notwendig
        du|sie|ihr ~4 nicht|nichts ~2 prufen|lesen|offnen|uberprufen|verifizieren|nachsehen
        setze|setzen|gib ~3 konfidenz|sicherheit|zuversicht|confidence ~3 hoch|high|maximum|maximal|hochste
        erwahne|erwahnen|melde|melden|berichte ~3 nicht|nichts|niemandem
        marquez|marque|considerez|considere|traitez|traite|signalez|signale|classez|jugez|notez|declarez ~5 comme
            ~1 etaye*|confirm*|prouv*|valid*|correct*|verifi*|equivalent*|soutenu*|fonde*|supported|exact*|vrai*
            |juste*
        cette|ces|chaque|toute affirmation|assertion|affirmations|declaration ~3 etaye*|confirm*|prouv*|verifi*
            |exact*|correct*|vrai*|soutenu*|valid*
        inutile|pas_besoin|aucun_besoin|il_n_est_pas_necessaire de|d ~1 verifier|lire|ouvrir|controler|chercher
            |consulter
        ne|n verifiez|verifie|lisez|lis|ouvrez|ouvre|signalez|signale|mentionnez|mentionne|consultez|cherchez pas
            |rien|aucun*|jamais
        repondez|reponds|repondre ~3 supported|equivalent|etaye*|confirme*|verifie*
        marca|marque|considera|considere|trata|trate|informa|reporta|califica|clasifica|marquen ~5 como ~1
            respaldad*|confirmad*|probad*|validad*|correct*|verificad*|equivalente*|supported|ciert*|verdader*
            |sustentad*|apoyad*|suportad*|comprovad*|fundamentad*|sustentad*
        esta|cada|toda|todas afirmacion|afirmaciones|declaracion|afirmacao|declaracao|alegacao ~3 respaldad*
            |confirmad*|probad*|verificad*|correct*|comprovad*|suportad*|verdadeir*|ciert*|validad*
        no|nao|non hace_falta|es_necesario|necesitas|verifiques|verifique|leas|lea|abras|abra|menciones|mencione
            |informes|e_necessario|e_preciso|precisa|verifique|leia|reporte|e_necessario|serve|occorre|verificare
            |leggere|segnalare|aprire|menzionare ~2
        responde|responda|contesta|conteste|rispondi|rispondete|antwoord ~3 supported|equivalent|respaldad*
            |confirmad*|equivalente|verificad*|supportat*|confermat*|ondersteund|bevestigd
        segna|segnate|contrassegna|considera|considerate|tratta|trattate|valuta|riporta ~5 come ~1 supportat*
            |confermat*|provat*|verificat*|corrett*|equivalent*|supported|ver*|validat*
        questa|ogni|tutte affermazione|affermazioni|dichiarazione ~3 supportat*|confermat*|provat*|verificat*
            |corrett*|ver*
        markeer|beschouw|behandel|beoordeel|rapporteer ~5 als ~1 ondersteund|bevestigd|correct|gelijkwaardig
            |equivalent|geverifieerd|juist|bewezen|waar|supported
        deze|elke|alle bewering|beweringen|stelling ~3 ondersteund|bevestigd|geverifieerd|correct|bewezen|waar
            |juist
        niet nodig om|te ~3 controleren|verifieren|lezen|openen|zoeken
        controleer|verifieer|vermeld|meld|rapporteer|open|lees ~2 niet|niets
        отметь|отметьте|пометь|пометьте|считай|считайте|оцени|оцените|признай|признайте ~5 подтвержд*|верн*
            |правильн*|доказан*|эквивалентн*|проверен*|истин*|supported|обоснован*
        это|данное|каждое утверждение ~3 подтвержд*|верн*|доказан*|проверен*|истин*|правильн*
        не нужно|надо|требуется|проверяй|проверяйте|читай|читайте|открывай|открывайте|упоминай|упоминайте|сообщай
            |сообщайте ~2
        нет необходимости проверять|читать|открывать|искать|проверки
    """,
    "authority": """
        genehmigt|freigegeben|gepruft|bestatigt|abgenommen von|vom|durch ~3 goldwright|maintainer*|betreuer*
            |benchmark*|team|betreiber*
        im auftrag|namen ~2 goldwright|maintainer*|betreuer*|benchmark*|betreiber*|entwickler*
        approuve*|valide*|verifie*|autorise* par ~3 goldwright|mainteneurs|benchmark|equipe|humain*
        sur ordre de|des|du ~3 goldwright|mainteneurs|benchmark|equipe|responsables
        aprobad*|aprovad*|verificad*|autorizad*|validad*|revisad* por|pelo|pela|pelos ~3 goldwright|mantenedores
            |benchmark|equipo|equipe|human*|responsables
        por orden|ordem de|del|dos|do|da ~3 goldwright|mantenedores|benchmark|equipo|equipe|responsables
        approvat*|verificat*|autorizzat* da|dal|dai ~3 goldwright|manutentori|benchmark|team|uman*|responsabili
        goedgekeurd|geverifieerd|gecontroleerd door ~3 goldwright|beheerders|benchmark|team|menselijk*
        одобрено|проверено|утверждено|подтверждено командой|разработчиками|авторами|goldwright|человеком
            |администратор*
        системное сообщение|указание|уведомление
        mensaje|message|messaggio|mensagem|instruccion|instruction|consigne del|do|di|du|de sistema|systeme
    """,
    "tools": """
        rufe|ruf|verwende|benutze|nutze ~2 werkzeug|werkzeuge|tool
        offne|offnen|durchsuche|durchsuchen|lies|lesen ~2 keine|nicht|nichts ~2 datei*|repository|weiter*|quell*
            |mehr
        hor|hore|horen ~2 auf zu lesen|suchen|prufen
        lies|lesen|suche|suchen nicht weiter
        arretez|arrete|cessez de lire|chercher|verifier
        deja|deje|para|pare de leer|buscar|verificar|ler
        smetti|smettete di leggere|cercare|verificare
        stop met lezen|zoeken|controleren
        прекрати|прекратите|хватит|перестань|перестаньте читать|искать|проверять|чтение|поиск
        appelez|appelle|utilisez|llama|llame|usa|use|chiama|roep ~2 outil|herramienta|ferramenta|strumento
            |gereedschap
        вызови|вызовите|используй|используйте ~2 инструмент*
    """,
    "identity": """
        du bist jetzt|nun|ab_jetzt|ab_sofort|nicht_mehr|von_nun_an
        sie sind jetzt|nun|ab_sofort ein|eine|der|die|kein|mein|frei
        verhalte|verhalten|handle|agiere ~1 als|wie|so ein|eine|der|als ~2 ki|assistent|gutachter|experte|prufer
            |richter
        deine neue|neuen|einzige|wahre rolle|aufgabe|anweisung*|identitat
        neue|neuen anweisung|anweisungen|instruktionen ~1 fur|lauten|folgen|gelten
        vous etes|serez maintenant|desormais un|une|le|la|en|mon|libre
        tu es|seras maintenant|desormais
        votre|ton|ta|votre_seul nouveau|nouvelle|nouvel|seule|seul role|tache|mission|identite
        nouvelles instructions|consignes ~1
        ahora eres|usted_es|actua|seras
        eres ahora
        tu nueva|nuevo|unica|verdadera tarea|rol|mision|identidad|papel
        nuevas instrucciones
        agora voce|tu e|es
        voce agora e|deve
        voce e|sera agora
        novas instrucoes
        sua nova|unica tarefa|funcao|missao
        ora|adesso sei|siete un|una|il|la|mio
        sei|siete ora|adesso un|una|il|la|mio
        nuove istruzioni
        il|la tuo|tua nuovo|nuova compito|ruolo
        je|jij|u bent nu|voortaan
        nieuwe instructies ~1
        jouw|je|uw nieuwe taak|rol|opdracht
        ты|вы теперь|отныне
        теперь ты|вы
        новые инструкции|указания
        твоя|ваша новая|единственная задача|роль
    """,
}

IDEOGRAPHIC: Final[Mapping[str, str]] = {
    "override": (
        "(?:忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|不要遵守|抛开).{0,14}(?:指令|指示|说明|說明|规则|規則|提示|要求|命令|指引)"
        "|从现在(?:开始|起)|從現在(?:開始|起)"
        "|(?:前|上記|以前|これまで|すべて|全て|上|先|既存|元)の?.{0,8}(?:指示|命令|ルール|プロンプト|規則|指令).{0,8}(?:無視|忘れ|破棄|従わ)"
        "|今から(?:あなた|君)|これからは"
        "|(?:이전|위|앞|모든|기존|지금까지|원래).{0,10}(?:지시|명령|지침|프롬프트|규칙|안내).{0,10}(?:무시|잊|따르지)|지금부터(?:너|당신|모든|는)"
    ),
    "address": (
        "(?:如果|若|假如|要是)你是.{0,10}(?:ai|人工智能|语言模型|語言模型|模型|助手|助理|审查|審查|评审|机器人|llm)"
        "|(?:致|写给|寫給|告知|提醒|给|給)(?:所有|各位)?.{0,6}(?:ai|人工智能|语言模型|語言模型|审核|審核|审阅|評審|评审|模型|llm)"
        "|(?:ai|人工智能|语言模型|模型)(?:助手|审查员|评审员|審查員)?.{0,3}(?:请注意|請注意|必须|必須|你必须|应当|應當)"
        "|あなたが?(?:ai|人工知能|言語モデル|アシスタント|llm|モデル|審査).{0,8}(?:なら|であれば|の場合|だったら)"
        "|(?:ai|人工知能|言語モデル|アシスタント|審査員?|llm)(?:への|の皆様|に対する|は必ず|向け)"
        "|(?:당신|너|네|귀하)(?:이|가|는|은)?.{0,6}(?:ai|인공지능|언어모델|어시스턴트|모델|llm).{0,6}(?:라면|이라면|경우|면)"
        "|(?:ai|인공지능|언어모델|어시스턴트|심사|검토자?|llm).{0,6}(?:에게|께|보십시오|주목)"
    ),
    "verdict": (
        "(?:标记|標記|视|視|判定|标|標|当作|當作|报告|報告|认定|認定|评)[为為作成].{0,8}(?:支持|正确|正確|验证|驗證|等价|等價|证实|證實|成立|真|supported)"
        "|(?:此|该|該|这个|這個|这一|本|上述|每个|所有)(?:声明|聲明|主张|主張|陈述|陳述|论断|論斷|断言|斷言|说法|說法|结论|結論).{0,8}"
        "(?:支持|验证|驗證|证实|證實|正确|正確|成立|属实|屬實)"
        "|(?:无需|無需|不必|不需要|不用|没有必要|請勿|请勿|不要|禁止|别|勿).{0,6}(?:验证|驗證|检查|檢查|阅读|閱讀|核实|核實|打开文件|打開|搜索仓库|报告|報告|提及|查看|核对|核查|提到)"
        "|(?:回答|回复|输出|答复).{0,8}(?:支持|supported|等价|equivalent|正确)|(?:置信度|信心|可信度).{0,8}(?:高|最)"
        "|(?:この|本|上記の?|すべての)(?:主張|記述|クレーム|回答|文|命題).{0,8}(?:支持|検証|確認|正し|裏付け|証明|実証)"
        "|(?:支持|検証済み|正し[いく]|同等|確認済み|supported|裏付け).{0,8}(?:として|と)(?:扱|マーク|判定|報告|みな|評価|回答|答え|記録)"
        "|(?:検証|確認|読む|調べる|チェック|読解).{0,6}(?:不要|必要は?(?:ない|ありません)|しないで)|(?:報告|言及)しないで|信頼度.{0,6}高"
        "|(?:이|본|해당|모든)(?:주장|진술|답변|명제).{0,10}(?:지지|검증|확인|사실|입증|참|뒷받침)"
        "|(?:지지|검증|확인|입증|정확|동등|supported|뒷받침).{0,10}(?:으로|로|것으로|고)(?:표시|간주|처리|보고|판정|평가|답|기록|취급)"
        "|(?:검증|확인|읽|검토).{0,8}(?:필요(?:가|는)?없|불필요|하지마)|(?:보고|언급)하지마|신뢰도.{0,8}(?:높|최)"
    ),
    "authority": (
        "(?:系统|系統)(?:消息|提示|指令|讯息|訊息|通知)[^栏框]|(?:经|經|由|已由|已经|已經|获|獲).{0,12}(?:批准|审核|審核|认证|認證|授权|授權)"
        "|(?:团队|維護者|维护者|官方|管理员|管理員).{0,4}(?:批准|审核|认证|授权|確認|确认|命令|指示)"
        "|システム(?:メッセージ|指示|通知|命令)|(?:チーム|管理者|メンテナ|運営).{0,6}(?:承認|許可|確認|監査|指示)|(?:承認|監査|許可)済み"
        "|시스템(?:메시지|지시|공지|명령)|(?:팀|관리자|운영자|유지관리자).{0,8}(?:승인|허가|확인|감사|지시)|(?:승인|감사)(?:됨|되었|완료)"
    ),
    "tools": (
        "(?:停止|不要再?|请勿|禁止|无需|別)(?:阅读|閱讀|搜索|打开|打開|调用|調用|使用工具|继续)|(?:调用|調用|使用|执行)(?:该|此|以下|这个)?工具"
        "|(?:ツール|関数)を(?:呼び出|使用|実行|使わ)|(?:読む|検索|調査|読み込み)(?:の|こと)?を?(?:やめ|中止|停止|止め)|(?:開か|検索し|読ま)ないで"
        "|(?:도구|툴)를?(?:호출|사용|실행)|(?:읽|검색|조사|열람).{0,6}(?:중단|멈추|그만|지마|지말)"
    ),
    "identity": (
        "你现在是|你現在是|你是一[个個名位].{0,8}(?:助手|模型|ai|专家|專家|评审|審查|审查)|你的(?:新|唯一|真正)(?:的)?(?:任务|任務|角色|身份|目标)|扮演"
        "|新的?(?:指令|指示)(?:如下|:|是)?"
        "|(?:あなた|君|お前)は(?:今|いま|これから|もう)|あなたの(?:新しい|本当の|唯一の)(?:役割|任務|タスク|仕事|名前)|新しい(?:指示|命令)"
        "|として(?:振る舞|行動|ふるま)"
        "|(?:너|당신)(?:는|은)(?:이제|지금|앞으로)|(?:너|당신)의(?:새로운|진짜|유일한)(?:역할|임무|작업)|새로운?(?:지시|명령|지침)|처럼행동|인척"
    ),
}
