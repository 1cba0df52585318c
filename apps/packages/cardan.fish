# Completion of fish: the program itself says what may stand there.
function __cardan_complete
    set -l words (commandline -opc)
    for line in ($words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path (commandline -ct)
            case :folder
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c cardan -f -a '(__cardan_complete)'
